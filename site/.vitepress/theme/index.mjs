// VitePress's theme with system fonts, so that the site loads no fonts.
import "./headings.css";

export { default } from "vitepress/theme-without-fonts";
