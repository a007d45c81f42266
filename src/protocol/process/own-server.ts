/** On the `node:http` server of a service: its requests are no work of the program that it may be part of. */
export const OWN_SERVER = Symbol.for('spoor.server');
