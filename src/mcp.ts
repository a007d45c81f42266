import { installDefaultClient } from './client/default-client.ts';

export { wrapMcpClient, wrapMcpServer } from './integrations/mcp/mcp.ts';

// What a wrapped client or server does is recorded without `init()`, also where nothing else of the package is imported.
installDefaultClient();
