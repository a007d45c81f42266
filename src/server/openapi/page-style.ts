/** The whole look of the reference page: it loads nothing else. */
export const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #59636e; --line: #d8dee4; --sheet: #f6f8fa; --paper: #fff;
  --link: #0b5cad; --post: #0b5cad; --get: #1a7f37; --mark: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9198a1; --line: #31373e; --sheet: #161b22;
  --paper: #0d1117; --link: #6cb2ff; --post: #6cb2ff; --get: #57c96b; --mark: #d8a62a; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
code, pre { font: 0.875em/1.5 ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
code { overflow-wrap: anywhere; }
pre { margin: 0.25rem 0 1rem; padding: 0.75rem 1rem; overflow-x: auto; background: var(--sheet);
  border: 1px solid var(--line); border-radius: 6px; }
pre code { overflow-wrap: normal; font-size: 1em; }
nav { padding: 1rem 1.25rem; border-top: 1px solid var(--line); font-size: 0.9rem; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 0.8rem; color: var(--quiet); }
nav ul { margin: 0; padding: 0; list-style: none; }
main { padding: 1rem 1.25rem 6rem; max-width: 60rem; }
h1 { margin: 0.5rem 0; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3.5rem 0 0.5rem; font-size: 1.5rem; }
h3 { margin: 3rem 0 0.5rem; padding-top: 1rem; border-top: 1px solid var(--line); font-size: 1.15rem; }
h4 { margin: 1.5rem 0 0.5rem; font-size: 0.95rem; color: var(--quiet); }
.method { display: inline-block; margin-right: 0.5rem; font-size: 0.8rem; font-weight: 700; color: var(--post); }
.GET { color: var(--get); }
.lead { color: var(--quiet); }
summary { color: var(--quiet); font-weight: 700; font-size: 0.95rem; cursor: pointer; }
details { margin: 1.5rem 0; }
.rows { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th { color: var(--quiet); font-weight: 500; text-align: left; }
th, td { padding: 0.4rem 1rem 0.4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td:first-child, td:nth-child(2) { white-space: nowrap; }
td:last-child { width: 100%; padding-right: 0; }
.required { margin-left: 0.4rem; font-size: 0.75rem; color: var(--mark); }
.quiet { color: var(--quiet); }
@media (max-width: 40rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
  td { padding: 0; border: 0; white-space: normal !important; }
}
@media (min-width: 70rem) {
  body { display: grid; grid-template-columns: 17rem 1fr; }
  nav { grid-area: 1 / 1; position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0;
    border-right: 1px solid var(--line); }
  main { grid-area: 1 / 2; min-width: 0; padding: 1.5rem 3rem 6rem; }
  .jump { display: none; }
}
`;
