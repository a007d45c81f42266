/** How wide the columns of the tree are, in pixels. */
export interface TreeColumns {
  readonly name: number;
  readonly cost: number;
  readonly indent: number;
  /** Deeper lines are not moved further to the right: they say their depth as a number. */
  readonly deepest: number;
}

const NAME_PX = 304;
/** The pane of the tree with a detail beside it, on a screen of 1,440 pixels. */
const USUAL_PANE_PX = 816;
/** Where the pane is narrower than that, names share what is lost. */
const NAME_SHARE = NAME_PX / USUAL_PANE_PX;
const NARROW_NAME_PX = 232;
const COST_PX = 72;
/** Beside a panel the tree may be as narrow as on a small screen; below this the time line would have no room. */
const TIGHT_PX = 600;
/** The width that a name keeps, however deep it is. */
const LEAST_NAME_PX = 220;
const LEAST_NAME_NARROW_PX = 150;
/** In a pane of a tablet names, and what each keeps, are shares of it: the time line must have room. */
const NARROW_NAME_SHARE = 0.5;
const LEAST_NAME_NARROW_SHARE = 0.3;
const START_PX = 12;
const INDENT_PX = 14;
const INDENT_PHONE_PX = 10;
/** Deep trees take this much of the pane for names, and no more. */
const MOST_SHARE = 0.45;

export interface TreeRoom {
  readonly width: number;
  readonly deepest: number;
  /** Two lines a call, without cost. */
  readonly isPhone: boolean;
  readonly isNarrow: boolean;
}

export function treeColumns({ width, deepest, isPhone, isNarrow }: TreeRoom): TreeColumns {
  if (isPhone) {
    const room = Math.max(0, width - START_PX - LEAST_NAME_NARROW_PX - COST_PX);
    return { name: width, cost: 0, indent: INDENT_PHONE_PX, deepest: Math.floor(room / INDENT_PHONE_PX) };
  }
  const isTight = isNarrow || width < TIGHT_PX;
  const roomy = Math.min(NAME_PX, Math.max(NARROW_NAME_PX, width * NAME_SHARE));
  const tight = [
    Math.min(NARROW_NAME_PX, width * NARROW_NAME_SHARE),
    Math.min(LEAST_NAME_NARROW_PX, width * LEAST_NAME_NARROW_SHARE),
  ] as const;
  const [usual, least] = isTight ? tight : ([roomy, LEAST_NAME_PX] as const);
  const wanted = START_PX + deepest * INDENT_PX + least;
  const name = Math.round(Math.max(usual, Math.min(wanted, width * MOST_SHARE)));
  const room = Math.max(0, name - START_PX - least);
  return { name, cost: isTight ? 0 : COST_PX, indent: INDENT_PX, deepest: Math.floor(room / INDENT_PX) };
}
