// The generator's theme in the reader's own fonts: nothing more is loaded.
export { default } from "vitepress/theme-without-fonts";
