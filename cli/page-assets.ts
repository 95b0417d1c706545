/** The page's style sheet. Colours are set once for light and once for dark. */
export const style = `
:root{--paper:#f6f7f9;--card:#fff;--ink:#15181d;--soft:#5b6472;--edge:#e2e6ec;--link:#1452cc;
--good:#0b7a43;--good-back:#e3f5ea;--bad:#b3261e;--bad-back:#fdeae8;--waiting:#8a5a00;--waiting-back:#fdf1d8;--code:#eef1f5}
@media (prefers-color-scheme:dark){:root{--paper:#0f1216;--card:#171b21;--ink:#e9edf2;--soft:#98a2b0;--edge:#272d36;--link:#8ab4ff;
--good:#6fdc9f;--good-back:#12301f;--bad:#ff9c92;--bad-back:#3a1715;--waiting:#f2c66b;--waiting-back:#332609;--code:#222831}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
#state{max-width:60rem;margin:0 auto;padding:2.5rem 1.25rem 2rem}
header{display:flex;align-items:baseline;gap:.9rem;margin-bottom:1.4rem}
h1{font-size:1.6rem;letter-spacing:-.02em;margin:0}
header p{margin:0;color:var(--soft)}
.live{margin-left:auto!important;display:flex;align-items:center;gap:.45rem;font-size:.85rem}
.pulse{width:.55rem;height:.55rem;border-radius:50%;background:var(--good)}
.off,.stopped .on{display:none}.stopped .off{display:inline}.stopped .pulse{background:var(--bad)}
.mock{background:var(--card);border:1px solid var(--edge);border-radius:.7rem;padding:.8rem 1.15rem;margin-bottom:.7rem}
.line{display:grid;grid-template-columns:6.6rem 1fr auto;column-gap:1rem;align-items:baseline}
.line>:nth-child(n+4){grid-column:2/4}
.state{justify-self:start;font-size:.78rem;font-weight:600;padding:.1rem .6rem;border-radius:1rem;background:var(--code);color:var(--soft)}
.good .state{background:var(--good-back);color:var(--good)}
.bad .state{background:var(--bad-back);color:var(--bad)}
.waiting .state{background:var(--waiting-back);color:var(--waiting)}
h2{font-size:1.05rem;margin:0;overflow-wrap:anywhere}
.namespace{color:var(--soft);font-weight:400}
.facts{margin:0;color:var(--soft);font-size:.9rem;text-align:right}
.part{white-space:nowrap}.part:not(:last-child)::after{content:" ·";opacity:.6}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;margin-top:.25rem;font-size:.9rem}
a{color:var(--link);text-decoration:none}a:hover,a:focus-visible{text-decoration:underline}
.url,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.87em}
code{background:var(--code);border-radius:.3rem;padding:.08rem .35rem}
.kept{margin:.35rem 0 0;color:var(--soft);font-size:.9rem}
ul{list-style:none;margin:.6rem 0 0 7.6rem;padding:0}
li{border-left:3px solid var(--edge);padding:.1rem 0 .1rem .75rem;margin-top:.5rem;font-size:.92rem}
li b{font-weight:600;margin-right:.55rem}
li.error{border-color:var(--bad)}li.error b{color:var(--bad)}
li.warning{border-color:var(--waiting)}li.warning b{color:var(--waiting)}
.message{overflow-wrap:anywhere}
.place{display:block;color:var(--soft);font-size:.87rem}
footer{margin-top:1.4rem;color:var(--soft);font-size:.87rem}
@media (max-width:40rem){.line{grid-template-columns:1fr;row-gap:.3rem}.line>:nth-child(n+2){grid-column:1}.facts{text-align:left}ul{margin-left:0}}
`;

/** Answers the page's script: it puts each new state into its place, and shows when nobody sends any more. */
export function behaviour(events: string): string {
  return `
const state = document.getElementById("state");
const stream = new EventSource(${JSON.stringify(events)});
stream.onopen = () => document.body.classList.remove("stopped");
stream.onerror = () => document.body.classList.add("stopped");
stream.onmessage = ({ data }) => { state.innerHTML = JSON.parse(data); };
`;
}
