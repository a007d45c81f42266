import { createElement, type ReactElement } from 'react';
import classes from './icon.module.css';

/** Shapes of an icon: paths, and what a path says badly. All are drawn on half pixels of a 16 px square, 1.5 px wide. */
type Shape = string | { readonly [tag: string]: Readonly<Record<string, string | number>> };

const CHEVRON = { up: 'm4.5 9.5 3.5-3.5 3.5 3.5', down: 'm4.5 6.5 3.5 3.5 3.5-3.5' };
const DOT = { fill: 'currentColor', stroke: 'none' };

const ICONS = {
  'arrow-down': ['M8 3v9.5M4.5 9 8 12.5 11.5 9'],
  'arrow-up': ['M8 13V3.5M4.5 7 8 3.5 11.5 7'],
  back: ['m9.5 4.5-3.5 3.5 3.5 3.5'],
  bookmark: ['M4.5 2.5h7v11L8 10.8l-3.5 2.7v-11Z'],
  bubble: ['M13.5 7.5a5 4.5 0 0 1-7.3 4L3 12.5l.9-2.6A5 4.5 0 1 1 13.5 7.5Z'],
  calls: ['M2.5 3.5h11M5.5 8h8M8.5 12.5h5'],
  check: ['m3.5 8.5 3 3 6-7'],
  'chevron-down': [CHEVRON.down],
  'chevron-right': ['m6.5 4.5 3.5 3.5-3.5 3.5'],
  'chevron-up': [CHEVRON.up],
  clock: [{ circle: { cx: 8, cy: 8, r: 5.5 } }, 'M8 5v3l2 1.5'],
  close: ['m4.5 4.5 7 7M11.5 4.5l-7 7'],
  code: ['m5 5-3 3 3 3M11 5l3 3-3 3'],
  columns: [{ rect: { x: 2.5, y: 3, width: 11, height: 10, rx: 1.5 } }, 'M6.2 3v10M9.8 3v10'],
  copy: [
    { rect: { x: 5.5, y: 5.5, width: 8, height: 8, rx: 1.5 } },
    'M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.5 4v5A1.5 1.5 0 0 0 4 10.5h1.5',
  ],
  download: ['M8 2.5v8M4.5 7.5 8 11l3.5-3.5M3 13.5h10'],
  file: ['M9.5 2.5H5A1.5 1.5 0 0 0 3.5 4v8A1.5 1.5 0 0 0 5 13.5h6a1.5 1.5 0 0 0 1.5-1.5V5.5l-3-3Zm0 0v3h3'],
  keyboard: [
    { rect: { x: 1.5, y: 4, width: 13, height: 8.5, rx: 1.5 } },
    'M4.5 7h.01M7 7h.01M9.5 7h.01M12 7h.01M5 9.8h6',
  ],
  leave: ['M6.5 2.5H4A1.5 1.5 0 0 0 2.5 4v8A1.5 1.5 0 0 0 4 13.5h2.5M10 5l3 3-3 3M13 8H6.5'],
  live: [{ circle: { cx: 8, cy: 8, r: 2, ...DOT } }, 'M4.8 11.2a4.5 4.5 0 0 1 0-6.4M11.2 4.8a4.5 4.5 0 0 1 0 6.4'],
  menu: ['M2.5 4.5h11M2.5 8h11M2.5 11.5h11'],
  moon: ['M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z'],
  more: [{ path: { d: 'M3.5 8h.01M8 8h.01M12.5 8h.01', strokeWidth: 2 } }],
  ops: ['M6 2.5c-2 0-1 4.2-3.5 5.5C5 9.3 4 13.5 6 13.5M10 2.5c2 0 1 4.2 3.5 5.5-2.5 1.3-1.5 5.5-3.5 5.5'],
  open: [
    'M9.5 2.5h4v4M13.5 2.5 7.5 8.5M6.5 3.5H4A1.5 1.5 0 0 0 2.5 5v7A1.5 1.5 0 0 0 4 13.5h7a1.5 1.5 0 0 0 1.5-1.5V9.5',
  ],
  path: [
    { circle: { cx: 3.8, cy: 12.2, r: 1.5 } },
    { circle: { cx: 12.2, cy: 3.8, r: 1.5 } },
    'M5.3 12.2h3.2A2 2 0 0 0 10.5 10.2V5.8',
  ],
  pause: ['M5.5 3.5v9M10.5 3.5v9'],
  person: [{ circle: { cx: 8, cy: 5.5, r: 2.7 } }, 'M2.8 13.5c.5-2.6 2.6-4 5.2-4s4.7 1.4 5.2 4'],
  plus: ['M8 3.5v9M3.5 8h9'],
  search: [{ circle: { cx: 7, cy: 7, r: 4.5 } }, 'm10.5 10.5 3 3'],
  sliders: [
    'M2.5 5h5M11 5h2.5M2.5 11H5M8.5 11h5',
    { circle: { cx: 9.2, cy: 5, r: 1.7 } },
    { circle: { cx: 6.8, cy: 11, r: 1.7 } },
  ],
  spark: ['m8 2.5 1.4 4.1L13.5 8 9.4 9.4 8 13.5 6.6 9.4 2.5 8l4.1-1.4L8 2.5Z'],
  swap: ['M2.5 5.5h10M10 3l2.5 2.5L10 8M13.5 10.5h-10M6 8l-2.5 2.5L6 13'],
  table: [{ rect: { x: 2.5, y: 3, width: 11, height: 10, rx: 1.5 } }, 'M2.5 6.5h11M6.5 6.5V13'],
  terminal: ['m3 4.5 3.5 3.5L3 11.5M8.5 12h4.5'],
  'thumb-down': [
    'M5 9V2.5H2.5V9H5Zm0 0 2.5 4.5c1.2 0 1.7-.9 1.5-2L8.7 9.5h3.8c.7 0 1.1-.6 1-1.2l-.9-4.8c-.1-.6-.6-1-1.2-1H5',
  ],
  'thumb-up': [
    'M5 7v6.5H2.5V7H5Zm0 0 2.5-4.5c1.2 0 1.7.9 1.5 2L8.7 6.5h3.8c.7 0 1.1.6 1 1.2l-.9 4.8c-.1.6-.6 1-1.2 1H5',
  ],
  trace: ['M3.5 2.5v9.5h4M3.5 7h4M9.5 7h4M9.5 12h4'],
  trash: ['M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9'],
  unfold: ['m5 6 3-3 3 3M5 10l3 3 3-3'],
  warning: ['M8 2.5 14 13H2L8 2.5ZM8 6.5v3M8 11.3v.1'],
  wrench: ['M13 4.7 10.7 7 9 5.3 11.3 3A3.6 3.6 0 0 0 6.7 7.5L3 11.2 4.8 13l3.7-3.7A3.6 3.6 0 0 0 13 4.7Z'],
} as const satisfies Record<string, readonly Shape[]>;

export type IconName = keyof typeof ICONS;

export interface IconProps {
  readonly name: IconName;
  readonly className?: string | undefined;
  /** In px, for the few places where 16 is too much. */
  readonly size?: number;
}

/** A sign beside words, or in a button that has a name: it says nothing by itself. */
export function Icon({ name, className, size = 16 }: IconProps): ReactElement {
  const names = className === undefined ? classes.icon : `${classes.icon} ${className}`;
  return (
    <svg className={names} viewBox="0 0 16 16" width={size} height={size} aria-hidden="true">
      {ICONS[name].map(drawn)}
    </svg>
  );
}

function drawn(shape: Shape): ReactElement {
  if (typeof shape === 'string') return <path key={shape} d={shape} />;
  const [[tag, attributes]] = Object.entries(shape) as [[string, Readonly<Record<string, string | number>>]];
  return createElement(tag, { key: JSON.stringify(attributes), ...attributes });
}
