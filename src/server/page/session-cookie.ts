import type { FastifyRequest } from 'fastify';

/** The form of a session's secret; longer texts are none. */
const SECRET = /^[\w-]{43}$/;

/**
 * Browsers send cookies of one host to all of its ports, and keep one of each name: a service on another port of this
 * machine has a session of its own.
 */
export function cookieName({ host }: FastifyRequest): string {
  const [, port] = /:(\d+)$/.exec(host) ?? [];
  return port === undefined ? 'spoor_session' : `spoor_session_${port}`;
}

/** The secret that the request brings; the first of several. */
export function sessionSecretOf(request: FastifyRequest): string | undefined {
  const start = `${cookieName(request)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
  return value !== undefined && SECRET.test(value) ? value : undefined;
}

/** The header that gives a browser its session. Only requests below `/x` bring it back, and none from other sites. */
export function sessionCookie(request: FastifyRequest, secret: string, basePath: string): string {
  return cookieText(request, secret, basePath);
}

/** The header that takes it from the browser. */
export function endedCookie(request: FastifyRequest, basePath: string): string {
  return `${cookieText(request, '', basePath)}; Max-Age=0`;
}

function cookieText(request: FastifyRequest, value: string, basePath: string): string {
  const secure = request.protocol === 'https' ? '; Secure' : '';
  return `${cookieName(request)}=${value}; Path=${basePath}/x; HttpOnly; SameSite=Strict${secure}`;
}
