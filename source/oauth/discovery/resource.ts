/** The tool server as OAuth sees it. */
export type Resource = {
	/** The resource indicator (RFC 8707), exactly as the server writes it; absent for servers without metadata. */
	readonly indicator?: string;
	readonly scopes: readonly string[];
	/** Addresses of authorization servers, the preferred one first. */
	readonly authorizationServers: readonly string[];
	/** assumed: the server names none, so it is taken for its own. */
	readonly authorizationServersAre: 'named' | 'assumed';
};
