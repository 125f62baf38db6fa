import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {limitsSchema} from './limits-schema.ts';
import {modelSchema, searchSchema, visionModelSchema} from './model-config.ts';
import {platformsSchema} from '../platforms/platforms.ts';
import {serverSchema} from '../servers/server-schema.ts';
import {
	agentSchema,
	approvalsSchema,
	gatewaySchema,
	journalSchema,
	metricsSchema,
	platformToolsetsSchema,
} from './settings-schema.ts';

/** The sections of config.yaml, known without building their schemas. */
export const sectionNames = [
	'mcp_servers',
	'platforms',
	'model',
	'vision_model',
	'search',
	'agent',
	'limits',
	'approvals',
	'platform_toolsets',
	'journal',
	'metrics',
	'gateway',
] as const;

/** The schema of config.yaml (docs/configuration.md, How values are read), exported for editors as config.schema.json. */
export const configSchema = lazy(() =>
	z.strictObject({
		mcp_servers: field(z.record(z.string(), serverSchema()), {
			description: 'Tool servers by name.',
			allowed: 'a mapping of server names to servers',
		}).optional(),
		platforms: platformsSchema().optional(),
		model: modelSchema().optional(),
		vision_model: visionModelSchema().optional(),
		search: searchSchema().optional(),
		agent: agentSchema().optional(),
		limits: limitsSchema().optional(),
		approvals: approvalsSchema().optional(),
		platform_toolsets: platformToolsetsSchema().optional(),
		journal: journalSchema().optional(),
		metrics: metricsSchema().optional(),
		gateway: gatewaySchema().optional(),
	} satisfies Record<(typeof sectionNames)[number], z.ZodType>),
);

/** The JSON schema of config.yaml, as the text of config.schema.json. */
export function configSchemaText(): string {
	const schema = z.toJSONSchema(configSchema(), {io: 'input', target: 'draft-7'});
	return `${JSON.stringify({...schema, title: 'Configuration of Sluice'}, null, '\t')}\n`;
}
