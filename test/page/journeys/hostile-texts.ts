const AWAY = '198.51.100.1';
const RUNS = 'globalThis.taken=1;alert(1)';

/** Texts that would run something, ask another origin or cover the page, were they more than text. 198.51.100.1 is nobody's. */
export const HOSTILE_TEXTS: readonly string[] = [
  // Scripts, and what hides their end.
  `<script>${RUNS}</script>`,
  `<SCRIPT SRC=//${AWAY}/x.js></SCRIPT>`,
  `<scr<script>ipt>${RUNS}</scr</script>ipt>`,
  `<!--><script>${RUNS}</script>-->`,
  `<![CDATA[<script>${RUNS}</script>]]>`,
  `<noscript><p title="</noscript><script>${RUNS}</script>"></noscript>`,
  `</p></div></body><script>${RUNS}</script>`,
  `\`\`\`html\n<script>${RUNS}</script>\n\`\`\``,
  `\`<script>${RUNS}</script>\``,
  // Attributes that run.
  `<img src=x onerror="${RUNS}">`,
  `<img src=x oneonerrorrror=${RUNS}>`,
  `<body onload="${RUNS}">`,
  `<details open ontoggle="${RUNS}"><summary>more</summary></details>`,
  `<input autofocus onfocus="${RUNS}">`,
  `<video><source onerror="${RUNS}"></video>`,
  `<a onmouseover="${RUNS}" style="position:fixed;inset:0">over everything</a>`,
  // Addresses that run.
  `[link](javascript:${RUNS})`,
  `[link](JaVaScRiPt:${RUNS})`,
  `[link](java&#x0A;script:${RUNS})`,
  `[link](&#106;avascript:${RUNS})`,
  `[link](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)`,
  `[link](vbscript:msgbox)`,
  `[reference][1]\n\n[1]: javascript:${RUNS} "title"`,
  `<javascript:${RUNS}>`,
  `<a href="javascript:${RUNS}">link</a>`,
  `<form action="javascript:${RUNS}"><button>Send</button></form>`,
  `[title](https://example.test "&quot; onmouseover=&quot;${RUNS}")`,
  // What is loaded from elsewhere.
  `![image](http://${AWAY}/a.png)`,
  `![image](//${AWAY}/b.png "title")`,
  `![" onerror="${RUNS}](x)`,
  `![image][2]\n\n[2]: http://${AWAY}/c.png`,
  `<img srcset="http://${AWAY}/d.png 1x">`,
  `<picture><source srcset=//${AWAY}/e.png><img></picture>`,
  `<link rel=stylesheet href=//${AWAY}/f.css>`,
  `<style>@import '//${AWAY}/g.css'; body { display: none }</style>`,
  `<p style="background:url(//${AWAY}/h.png)">style</p>`,
  `<iframe src="//${AWAY}"></iframe><iframe srcdoc="<script>${RUNS}</script>"></iframe>`,
  `<object data="//${AWAY}"></object><embed src="//${AWAY}">`,
  `<base href="http://${AWAY}/"><meta http-equiv=refresh content="0;url=//${AWAY}">`,
  `<audio autoplay src="//${AWAY}/i.mp3"></audio>`,
  // Other languages within HTML.
  `<svg onload="${RUNS}"><script>${RUNS}</script></svg>`,
  `<svg><image href="//${AWAY}/j.png"/><use href="data:image/svg+xml,<svg id='x' onload='${RUNS}'/>#x"/></svg>`,
  `<svg><a xlink:href="javascript:${RUNS}"><text y="20">click</text></a></svg>`,
  `<svg></p><style><a id="</style><img src=1 onerror=${RUNS}>">`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${RUNS}&gt;">`,
  `<math href="javascript:${RUNS}">click</math>`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUNS}>`,
  // Names of what a page uses.
  `<form id=location><input name=href></form><a id=taken></a><img name=createElement>`,
  `<template><img src=x onerror=${RUNS}></template>`,
  `<x-a is="x" onclick="${RUNS}" id=x tabindex=1 onfocus="${RUNS}"></x-a>`,
];
