import { readFileSync } from 'node:fs';
import { createServer as createPlainServer, request, type RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/*
 * What stands before a service in a company, under a name of its own: arguments are the service and, where it speaks TLS, the
 * files of certificate, key and authority, and whether it asks for a certificate. The first line it prints is its port.
 */
const [service = '', cert, key = '', ca = '', asks] = process.argv.slice(2);

const pass: RequestListener = (incoming, answer) => {
  const headers = { ...incoming.headers, host: new URL(service).host };
  const outgoing = request(service + (incoming.url ?? '/'), { method: incoming.method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  outgoing.on('error', () => answer.destroy());
  incoming.pipe(outgoing);
};

const isAsking = asks === 'asks';
const server =
  cert === undefined
    ? createPlainServer(pass)
    : createServer(
        {
          cert: readFileSync(cert),
          key: readFileSync(key),
          ca: readFileSync(ca),
          requestCert: isAsking,
          rejectUnauthorized: isAsking,
        },
        pass,
      );
server.listen(0, 'localhost', () => console.log((server.address() as AddressInfo).port));
