/** How one key of the query string is read and written. What cannot be read is its default. */
export interface Param<T> {
  readonly fallback: T;
  readonly read: (text: string) => T | undefined;
  readonly print: (value: T) => string;
}

export interface Codec<S> {
  /** State of a page, from the query string of its address. */
  readonly read: (search: string) => S;
  /** The query string with what changes. Keys that the page does not know stay; defaults are left out. */
  readonly write: (search: string, change: Partial<S>) => string;
}

/** Longer addresses are cut by mail programs and chats; such filters are kept as views. */
export const MAX_SEARCH_CHARACTERS = 2000;

export function codecOf<S extends object>(params: { readonly [K in keyof S]: Param<S[K]> }): Codec<S> {
  const names = Object.keys(params) as (keyof S & string)[];
  return {
    read(search) {
      const given = new URLSearchParams(search);
      const state: Partial<S> = {};
      for (const name of names) state[name] = valueOf(params[name], given.get(name));
      return state as S;
    },
    write(search, change) {
      const given = new URLSearchParams(search);
      for (const name of names.filter((key) => Object.hasOwn(change, key))) {
        const text = params[name].print(change[name] as S[typeof name]);
        if (text === params[name].print(params[name].fallback)) given.delete(name);
        else given.set(name, text);
      }
      return printSearch(given);
    },
  };
}

function valueOf<T>(param: Param<T>, text: string | null): T {
  return text === null ? param.fallback : (param.read(text) ?? param.fallback);
}

/** Query strings are read by people: what needs no escape is not escaped. */
function printSearch(params: URLSearchParams): string {
  const readable = (text: string) =>
    encodeURIComponent(text)
      .replace(/%(?:3A|2C|2F|3E|3C|40|5B|5D)/g, decodeURIComponent)
      .replaceAll('%20', '+');
  return [...params].map(([name, value]) => `${readable(name)}=${readable(value)}`).join('&');
}
