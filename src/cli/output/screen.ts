/** Columns of the terminal that standard output goes to; what is piped has all the room it needs. */
export function screenWidth(
  { isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> = process.stdout,
): number {
  // Some terminals say that they have none.
  return isTTY && columns > 0 ? columns : Infinity;
}
