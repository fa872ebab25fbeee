// The generator's theme in the reader's own fonts: nothing more is loaded.
import "./headings.css";

export { default } from "vitepress/theme-without-fonts";
