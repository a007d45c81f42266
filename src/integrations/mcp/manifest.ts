import type { LibraryManifest } from '../library-manifest.ts';

export const MCP_MANIFEST = {
  name: '@modelcontextprotocol/sdk',
  entry: 'mcp',
  tested: { from: [1, 13], below: [2, 0] },
  wrappers: ['wrapMcpClient(client)', 'wrapMcpServer(server)'],
  capture: 'captureMcp',
  modules: { files: ['dist/esm/shared/protocol.js', 'dist/cjs/shared/protocol.js'] },
} as const satisfies LibraryManifest;
