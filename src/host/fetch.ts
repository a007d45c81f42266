const { fetch: asLoaded } = globalThis;

/**
 * As it was when this module was loaded: what this package asks its service is no request of the program, which tests may
 * answer themselves.
 */
export { asLoaded as fetch };
