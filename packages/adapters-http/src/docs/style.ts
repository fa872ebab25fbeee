/** The style sheet of the reference. */
export const STYLE = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0; display: grid; grid-template-columns: minmax(14rem, 22rem) minmax(0, 1fr) }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; box-sizing: border-box; padding: 1rem; font-size: 0.85em }
nav ul { margin: 0; padding: 0 0 0.5rem 1rem; list-style: none }
nav li { overflow-wrap: anywhere }
summary { cursor: pointer }
main { padding: 1rem 2rem; max-width: 70rem }
h2, h3 { scroll-margin-top: 1rem }
h3 { margin-top: 2.5rem; overflow-wrap: anywhere }
h2 a, h3 a { color: inherit; text-decoration: none }
table { border-collapse: collapse; width: 100%; margin: 0.5rem 0; font-size: 0.9em }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 0.75rem 0.25rem 0; border-top: 1px solid #8884 }
td:first-child, td:last-child { overflow-wrap: break-word }
td small code { overflow-wrap: anywhere }
code, pre { font: 0.92em ui-monospace, monospace }
pre { overflow: auto; padding: 0.75rem; background: #8881 }
p:empty { display: none }
@media (max-width: 60rem) { body { display: block } nav { position: static; height: auto } main { padding: 1rem } }
`;
