import {parse} from 'node:path';
import {createJsonStore} from '../../config/values/json-store.ts';
import {type Connections, createConnections} from '../../mcp/connections.ts';
import {createSchemaCache, type SchemaCache, schemaCacheFileSchema} from '../../mcp/protocol/schema-cache.ts';
import {type Publish} from '../../state/event.ts';
import {type Catalogue} from '../../tools/catalogue.ts';
import {type ServerNotices} from '../../tools/server-notices.ts';
import {type Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type LoginService} from './login-service.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type ServerRequestTargets} from '../../mcp/server-requests/server-request-handlers.ts';
import {type ToolCounts} from './server-status.ts';

/** Builds the connections to the tool servers of a profile; nothing connects before `apply`. What they offer is registered in the catalogue. */
export function createProfileConnections(
	context: ProfileContext,
	parts: {
		readonly catalogue: Catalogue;
		readonly toolCounts: ToolCounts;
		readonly asked: ServerRequestTargets;
		readonly logins: LoginService;
		readonly notices: Pick<ServerNotices, 'report'>;
	},
): Connections {
	const {catalogue, toolCounts, asked, logins, notices} = parts;
	const {clock, publish, paths, environment, expand, version, redactor} = context;
	return createConnections({
		clock,
		publish,
		expand,
		environment: environment.variables,
		schemaCache: openSchemas(context),
		serverLogDirectory: paths.serverLogs,
		redact: redactor.redact,
		learn: redactor.learn,
		version,
		loginOf: logins.loginOf,
		asked,
		onNotice: notices.report,
		count: toolCounts.of,
		onCapabilities(config, offer) {
			if (offer) {
				logUnregistered(config.name, {problems: catalogue.register(config, offer), publish});
			} else {
				catalogue.unregister(config.name);
			}

			// Names that this server takes or gives back are those of others; its own row follows by itself.
			toolCounts.bringUpToDate({except: config.name});
		},
	});
}

const maxLoggedTools = 20;

/** The log has the first few; a server may offer thousands of tools that cannot be registered. */
function logUnregistered(
	server: string,
	{problems, publish}: {readonly problems: readonly Problem[]; readonly publish: Publish},
): void {
	const rest = problems.length - maxLoggedTools;
	const more = rest > 0 ? [`${rest} more tools of ${safeText(server)} are not registered`] : [];
	for (const text of [...problems.slice(0, maxLoggedTools).map(problem => problem.message), ...more]) {
		publish({type: 'log', level: 'warning', area: 'tools', text});
	}
}

function openSchemas({paths, clock}: Pick<ProfileContext, 'paths' | 'clock'>): SchemaCache {
	const {dir: directory, name} = parse(paths.schemaCache);
	return createSchemaCache(createJsonStore({directory, name, schema: schemaCacheFileSchema, fallback: {}}), clock);
}
