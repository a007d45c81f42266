import type { ReactElement } from 'react';
import { Bone } from '../controls/signs/bones.tsx';
import type { Column } from './column.ts';
import type { Style } from './grid-row.tsx';
import classes from './virtual-grid.module.css';

export interface BoneRowProps<Row> {
  /** Absent: on a phone, where a row has two lines. */
  readonly columns: readonly Column<Row>[] | undefined;
  readonly index: number;
  readonly style: Style;
}

/** Grey bars where a row will be. */
export function BoneRow<Row>({ columns, index, style }: BoneRowProps<Row>): ReactElement {
  if (columns === undefined) return <PhoneBones index={index} style={style} />;
  return (
    <div className={classes.row} style={style} aria-hidden="true">
      <div />
      {columns.map(({ id, minPx, isNumber, width }, column) => (
        <div key={id} className={`${classes.cell} ${isNumber === true ? classes.number : ''}`}>
          <Bone width={isElastic(width) ? percentOf(index, column) : (minPx - 24) * shareOf(index, column)} />
        </div>
      ))}
    </div>
  );
}

/** Pixels: the name and its time, and below them what was given and what it cost. */
const PHONE_BONES = [200, 64, 280, 56];

function PhoneBones({ index, style }: Omit<BoneRowProps<never>, 'columns'>): ReactElement {
  return (
    <div className={`${classes.row} ${classes.phone}`} style={style} aria-hidden="true">
      <div className={classes.phoneBones}>
        {PHONE_BONES.map((width, place) => (
          <Bone key={width} width={width * shareOf(index, place)} />
        ))}
      </div>
    </div>
  );
}

/** A column that takes what room there is has words in it, and long ones where there is much. */
function isElastic(width: string): boolean {
  return width.includes('fr');
}

function percentOf(index: number, place: number): `${number}%` {
  return `${Math.round(shareOf(index, place) * 70)}%`;
}

/** Bars of one length would look like a table without words. */
function shareOf(index: number, place: number): number {
  return 0.5 + ((index * 7 + place * 3) % 5) / 10;
}
