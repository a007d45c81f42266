import { lookup } from 'node:dns';
import { Server } from 'proxy-chain';

/*
 * A proxy as companies have it: it knows a name that nobody else knows, and asks for a user. What it was asked for is a line
 * each on standard output, the first says its port.
 */
const server = new Server({
  host: '127.0.0.1',
  port: 0,
  prepareRequestFunction: ({ username, password, hostname, port, isHttp }) => {
    const isKnown = username === 'anna' && password === 'p:w d';
    console.log(`${isKnown ? 'takes' : 'refuses'} ${isHttp ? 'request' : 'tunnel'} ${hostname}:${port}`);
    return { requestAuthentication: !isKnown, dnsLookup: lookupHere };
  },
});

const lookupHere = ((hostname: string, ...rest: [never, never]) =>
  lookup(hostname === 'trace.example' ? '127.0.0.1' : hostname, ...rest)) as typeof lookup;

await server.listen();
console.log(server.port);
