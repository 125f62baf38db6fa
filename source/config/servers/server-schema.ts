import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field, lazyField} from '../values/field-rule.ts';
import {boolLike, choice, numberLike, text, textList, textMapping} from '../values/fields.ts';
import {loginShape} from './oauth-entry.ts';

/** Defaults of a server entry (docs/connections.md, Timeouts and limits). */
export const serverDefaults = {timeoutSeconds: 300, connectTimeoutSeconds: 60} as const;

/** Default and lower bound of the liveness pings (docs/connections.md, Timeouts and limits). */
export const healthLimits = {keepaliveSeconds: 180, shortestKeepaliveSeconds: 5} as const;

/** Defaults of the requests a server may make (docs/tool-servers.md, Elicitation). */
export const askDefaults = {
	elicitationSeconds: 300,
	maxTokensCap: 4096,
	samplingSeconds: 30,
	requestsPerMinute: 10,
	toolRounds: 5,
} as const;

/** One entry of `mcp_servers` in config.yaml (docs/tool-servers.md, Server entries). */
export const serverSchema = lazyField(
	() =>
		z.strictObject({
			command: text('Executable to launch; makes this a stdio server.', 'a program name or path'),
			args: argumentsSchema(),
			env: textMapping('Environment passed to the subprocess.'),
			pass_env: textList('Names of variables of `.env` and of the environment of Sluice that the subprocess gets.'),
			cwd: text(
				'Folder that the subprocess starts in, absolute or from `~`. Default: the folder that Sluice was started in.',
				'the path of a folder',
			),
			env_file: text(
				'File of more variables for the subprocess, absolute or from `~`, written as `.env` is: a regular file of your own, at most 64 KB. `env` wins.',
				'the path of a file',
			),
			url: text('Address of a remote MCP endpoint; makes this an HTTP server.', 'an http:// or https:// address'),
			headers: textMapping('Headers sent with every request to the remote server.'),
			ssl_verify: sslVerifySchema(),
			client_cert: clientCertificateSchema(),
			client_key: text(
				'Path of the private key when `client_cert` is one path and the key is in a separate file.',
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
				noun: 'protocol',
				notice: 'Using auto',
			}),
			supports_parallel_tool_calls: boolLike('Tools of this server may run at the same time.', false),
			transport: choice(['sse', 'http', 'streamable-http', 'stdio'], {
				description: 'sse selects the SSE transport instead of Streamable HTTP.',
				noun: 'transport',
				notice: 'The key is ignored',
			}),
			tools: field(toolsSchema(), {
				description: 'The tools that are registered.',
				allowed: 'a mapping with include, exclude, resources, prompts',
			}).optional(),
			trust: choice(['full', 'untrusted'], {
				description: 'untrusted: every tool without readOnlyHint asks a person first.',
				notice: 'Using untrusted',
				use: 'untrusted',
			}),
			...loginShape(),
			...healthShape(),
			...serverAsksShape(),
		}),
	{description: 'One tool server.', allowed: 'a mapping with `command` or `url`'},
);

/** The input type of a server entry's schema. */
export type ServerEntry = z.output<ReturnType<typeof serverSchema>>;

const recycling = lazy(() => ({
	idle_timeout_seconds: numberLike('End the subprocess after this idle time; the next call starts it. 0: never.', {
		fallback: 0,
		minimum: 0,
		unit: 'seconds',
	}),
	max_lifetime_seconds: numberLike(
		'End the subprocess at this age, once no call is under way; the next call starts it. 0: never.',
		{
			fallback: 0,
			minimum: 0,
			unit: 'seconds',
		},
	),
}));

/** Keys of the session: how it is probed, opened, kept alive and closed. */
const healthShape = lazy(() => ({
	skip_preflight: boolLike('Skip the probe of the content type before the first handshake.', false),
	keepalive_interval: numberLike(
		`Seconds between liveness pings, at least ${healthLimits.shortestKeepaliveSeconds}. Default: ${healthLimits.keepaliveSeconds} for remote servers, none for subprocesses.`,
		{fallback: undefined, minimum: 0, unit: 'seconds'},
	),
	lazy: boolLike('Register the tools from the cache at the start and connect at the first call.', false),
	...recycling(),
	lifecycle: field(z.strictObject(recycling()), {
		description: 'The two recycling keys may also be written here.',
		allowed: `a mapping with ${Object.keys(recycling()).join(', ')}`,
	}).optional(),
}));

const samplingSchema = lazy(() =>
	z.strictObject({
		enabled: boolLike('The server may ask the configured model.', true),
		model: text('The model that answers.'),
		max_tokens_cap: numberLike('Maximum tokens per answer.', {
			fallback: askDefaults.maxTokensCap,
			minimum: 1,
			whole: true,
		}),
		timeout: numberLike('How long one answer may take, in seconds.', {
			fallback: askDefaults.samplingSeconds,
			minimum: 0.001,
			unit: 'seconds',
		}),
		max_rpm: numberLike('Requests per minute; 0: none.', {
			fallback: askDefaults.requestsPerMinute,
			minimum: 0,
			whole: true,
		}),
		max_tool_rounds: numberLike('Maximum rounds of tool results in one conversation.', {
			fallback: askDefaults.toolRounds,
			minimum: 0,
			whole: true,
		}),
		allowed_models: textList(
			"Models that a server's hints may choose from; no other model answers. Empty: the configured model.",
		),
	}),
);

const elicitationSchema = lazy(() =>
	z.strictObject({
		enabled: boolLike('The server may ask a person.', true),
		timeout: numberLike('How long the person has, in seconds.', {
			fallback: askDefaults.elicitationSeconds,
			minimum: 0.001,
			unit: 'seconds',
		}),
		url: boolLike('The server may also ask a person to open a page of the web.', false),
	}),
);

/** Keys of the requests a server may make. */
const serverAsksShape = lazy(() => ({
	sampling: field(samplingSchema(), {
		description: 'Requests of the server to the configured model.',
		allowed: `a mapping with ${Object.keys(samplingSchema().shape).join(', ')}`,
	}).optional(),
	elicitation: field(elicitationSchema(), {
		description: 'Questions of the server to a person.',
		allowed: `a mapping with ${Object.keys(elicitationSchema().shape).join(', ')}`,
	}).optional(),
}));

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
