import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Address a request comes from; what a trusted proxy says of it, if there is one and it says an address. */
export function clientAddress(request: FastifyRequest): string {
  const address = isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? '') : request.ip;
  return shownAddress(address);
}

/** The address of a connection, which is one of IPv4 also where the service listens on IPv6. */
export function shownAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
