import type { ReactNode } from 'react';

/** Drawn on a grid of 16, with a stroke of 1.5 and round ends. */
const PATHS = {
  copy: 'M6 5.5h6A1.5 1.5 0 0 1 13.5 7v5a1.5 1.5 0 0 1-1.5 1.5H7A1.5 1.5 0 0 1 5.5 12V6.500M10.5 5.5V4A1.5 1.5 0 0 0 9 2.5H4A1.5 1.5 0 0 0 2.500 4v5A1.5 1.5 0 0 0 4 10.5h1.5',
  search: 'M11.500 7a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0m-1 3.5 3 3',
  right: 'm6.500 4.500 3.500 3.500-3.500 3.500',
  down: 'm4.500 6.500 3.500 3.500 3.500-3.500',
  up: 'm4.500 9.500 3.500-3.500 3.500 3.500',
  left: 'm9.500 4.500-3.500 3.500 3.500 3.500',
  open: 'M9.500 2.500h4v4M13.500 2.500l-6 6M6.500 3.500H4A1.500 1.500 0 0 0 2.500 5v7A1.500 1.500 0 0 0 4 13.500h7a1.500 1.500 0 0 0 1.500-1.500V9.500',
  unfold: 'm5 6 3-3 3 3M5 10l3 3 3-3',
  fold: 'm5 3 3 3 3-3M5 13l3-3 3 3',
  download: 'M8 3v7M5 7.500 8 10.500l3-3M3 13h10',
  user: 'M10.700 5.500a2.700 2.700 0 1 1-5.400 0 2.700 2.700 0 0 1 5.400 0M2.800 13.500c.5-2.600 2.600-4 5.200-4s4.700 1.400 5.200 4',
  spark: 'm8 2.500 1.400 4.100L13.500 8 9.400 9.400 8 13.500 6.600 9.400 2.500 8l4.100-1.400L8 2.500Z',
  wrench:
    'M13 4.700 10.700 7 9 5.300 11.300 3A3.600 3.600 0 0 0 6.700 7.500L3 11.200 4.800 13l3.700-3.700A3.600 3.600 0 0 0 13 4.700Z',
  good: 'M5 7v6.500H2.500V7H5Zm0 0 2.500-4.500c1.200 0 1.700.9 1.500 2L8.700 6.500h3.800c.7 0 1.100.6 1 1.200l-.9 4.800c-.1.6-.6 1-1.200 1H5',
  bad: 'M5 9V2.500H2.500V9H5Zm0 0 2.500 4.500c1.200 0 1.700-.9 1.500-2L8.700 9.500h3.800c.7 0 1.100-.6 1-1.200l-.9-4.800c-.1-.6-.6-1-1.200-1H5',
  plus: 'M8 3.500v9M3.500 8h9',
  close: 'm4.500 4.500 7 7M11.500 4.500l-7 7',
  warning: 'M8 2.500 14 13H2L8 2.500ZM8 6.500v3M8 11.300v.1',
  file: 'M9.500 2.500H5A1.500 1.500 0 0 0 3.500 4v8A1.500 1.500 0 0 0 5 13.500h6a1.500 1.500 0 0 0 1.500-1.500V5.500l-3-3Zm0 0v3h3',
  trace: 'M3.500 2.500v9.500h4M3.500 7h4M9.500 7h4M9.500 12h4',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }): ReactNode {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      style={{ flex: 'none', display: 'block' }}
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
