/** Version of this package: what `/version` answers and `attributes.svc.client_version` carries. */
export const PACKAGE_VERSION = '0.1.0';

/** Version of the wire interface. It changes only when a schema of this folder changes its meaning. */
export const INTERFACE_VERSION = '1';

/** Oldest client the service accepts without a warning. */
export const MIN_CLIENT_VERSION = '0.1.0';

/** Oldest version of the vendor's script client the service claims to serve. */
export const MIN_SCRIPT_CLIENT_VERSION = '0.0.1';
