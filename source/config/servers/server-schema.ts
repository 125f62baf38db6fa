import {z} from 'zod';
import {boolLike} from '../values/bool-like.ts';
import {choice} from '../values/choice.ts';
import {field, lazyField} from '../values/field-rule.ts';
import {numberLike} from '../values/number-like.ts';
import {loginShape} from './oauth-schema.ts';
import {serverAsksShape} from './server-asks-schema.ts';
import {healthShape} from './health-schema.ts';
import {text, textList, textMapping} from '../values/text-like.ts';

/** Defaults of a server entry (docs/tool-servers.md, Timeouts and limits). */
export const serverDefaults = {timeoutSeconds: 300, connectTimeoutSeconds: 60} as const;

const toolsSchema = () =>
	z.strictObject({
		include: textList(
			'Only these tools of the server are registered: exact names or globs. An empty list registers none.',
		),
		exclude: textList('These tools of the server are not registered: exact names or globs. `include` wins.'),
		resources: boolLike('Register the utility tools list_resources and read_resource.', true),
		prompts: boolLike('Register the utility tools list_prompts and get_prompt.', true),
	});

const argumentsSchema = () =>
	field(z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())]), {
		description: 'Arguments of the subprocess. A single value is one argument.',
		allowed: 'a list',
	}).optional();

const sslVerifySchema = () =>
	field(z.union([z.boolean(), z.literal(0), z.literal(1), z.string().min(1)]), {
		description:
			'true: the CAs of the system. false: certificates are not checked (insecure). A text: path of a CA bundle in PEM form.',
		allowed: 'true, false or the path of a CA bundle',
	}).optional();

const clientCertificateSchema = () =>
	field(
		z.union([
			z.string().min(1),
			z.tuple([z.string().min(1), z.string().min(1)]),
			z.tuple([z.string().min(1), z.string().min(1), z.string()]),
		]),
		{
			description:
				'Path of a PEM file with certificate and key, or [certificate, key], or [certificate, key, password].',
			allowed: 'a path, [certificate, key] or [certificate, key, password]',
		},
	).optional();

/** One entry of `mcp_servers` as a person writes it (docs/tool-servers.md, Server entries). */
export const serverSchema = lazyField(
	() =>
		z.strictObject({
			command: text('Executable to launch; makes this a stdio server.', 'a program name or path'),
			args: argumentsSchema(),
			env: textMapping('Environment passed to the subprocess.'),
			url: text('Address of a remote MCP endpoint; makes this an HTTP server.', 'an http:// or https:// address'),
			headers: textMapping('Headers sent with every request to the remote server.'),
			ssl_verify: sslVerifySchema(),
			client_cert: clientCertificateSchema(),
			client_key: text(
				'Path of the private key when `client_cert` is one path and the key is in a file of its own.',
				'a path',
			),
			enabled: boolLike('false: the server is skipped and stays in the configuration.', true),
			timeout: numberLike('How long a tool call may take, in seconds.', {
				fallback: serverDefaults.timeoutSeconds,
				minimum: 0.001,
				unit: 'seconds',
			}),
			connect_timeout: numberLike('How long connecting may take, in seconds.', {
				fallback: serverDefaults.connectTimeoutSeconds,
				minimum: 0.001,
				unit: 'seconds',
			}),
			protocol: choice(['auto', 'stateless', 'legacy'], {
				description:
					'auto: handshake first, then the stateless probe. stateless: the probe first. legacy: handshake only.',
				told: 'auto is used',
			}),
			supports_parallel_tool_calls: boolLike('Tools of this server may run at the same time.', false),
			transport: choice(['sse', 'http', 'streamable-http', 'stdio'], {
				description: 'sse selects the SSE transport instead of Streamable HTTP.',
				told: 'the key is left out',
			}),
			tools: field(toolsSchema(), {
				description: 'Which tools are registered.',
				allowed: 'a mapping with include, exclude, resources, prompts',
			}).optional(),
			trust: choice(['full', 'untrusted'], {
				description: 'untrusted: every tool without readOnlyHint asks a person first.',
				told: 'untrusted is used',
				use: 'untrusted',
			}),
			...loginShape(),
			...healthShape(),
			...serverAsksShape(),
		}),
	{description: 'One tool server.', allowed: 'a mapping with `command` or `url`'},
);

/** A server entry as its schema types it. */
export type ServerEntry = z.output<ReturnType<typeof serverSchema>>;
