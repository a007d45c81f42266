/** Calls of one trace are alike. Within fewer traces than these little can be told of what sets them apart. */
export const LEAST_TRACES = 10;
