import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Address a request comes from; what a trusted proxy says of it, if there is one and it says an address. */
export function clientAddress(request: FastifyRequest): string {
  const address = isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip;
  // An IPv4 client of a service that listens on IPv6.
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
