/** The carrier of a trace from one process to another: the headers of a request, a message or an environment. */
export type Carrier = object;

interface Fields {
  get(name: string): unknown;
  set(name: string, value: string): unknown;
}

/** Reads a field of a carrier, whatever the case of its name; several values are one list. */
export function getField(carrier: Carrier, name: string): string {
  const value = hasFields(carrier) ? carrier.get(name) : Reflect.get(carrier, keyIn(carrier, name));
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'string' ? value : '';
}

/** Sets a field of a carrier under the name that it has there already, in whatever case. Throws where that cannot be. */
export function setField(carrier: Carrier, name: string, value: string): void {
  if (hasFields(carrier)) carrier.set(name, value);
  else if (!Reflect.set(carrier, keyIn(carrier, name), value)) throw new TypeError(`its ${name} cannot be set`);
}

/** `Headers`, `Map` and the like. */
function hasFields(carrier: Carrier): carrier is Fields {
  const { get, set } = carrier as Partial<Fields>;
  return typeof get === 'function' && typeof set === 'function';
}

function keyIn(carrier: Carrier, name: string): string {
  if (Object.hasOwn(carrier, name)) return name;
  const there = Object.keys(carrier).find((key) => key.toLowerCase() === name);
  return there ?? (isEnvironment(carrier) ? name.toUpperCase() : name);
}

/** `process.env` or a copy of it: variables have names in upper case by custom, and programs look for these. */
function isEnvironment(carrier: Carrier): boolean {
  return carrier === process.env || Object.hasOwn(carrier, 'PATH') || Object.hasOwn(carrier, 'Path');
}
