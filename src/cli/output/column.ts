/** A column of a table. Where the room does not suffice it yields as it may. */
export interface Column<Row> {
  readonly head: string;
  /** Plain text of a cell. */
  readonly cell: (row: Row) => string;
  readonly isRight?: boolean;
  readonly paint?: (text: string, row: Row) => string;
  /** The same as the cell in fewer characters. */
  readonly short?: (row: Row) => string;
  /** Stands above the short form. */
  readonly shortHead?: string;
  /** Characters that are enough: the rest of longer texts is cut. */
  readonly least?: number;
  /** Of the columns that may leave altogether the highest leaves first. */
  readonly rank?: number;
}
