import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';
import {boolLike, text, textList, toBoolean, toTexts} from '../values/fields.ts';
import {readStrictly} from '../values/read-section.ts';
import {refuse, type Section} from '../values/section.ts';

/** The clients of the endpoint by name, `default` among them, or the reason that nobody is one (docs/endpoint.md, Clients). */
export type EndpointClients =
	| {readonly kind: 'read'; readonly clients: ReadonlyMap<string, EndpointClientConfig>}
	| {readonly kind: 'broken'; readonly reason: string};

/** A client as it is written. `off`: its token opens nothing. */
export type EndpointClientConfig =
	| {readonly kind: 'off'}
	/** The token with its references. */
	| {
			readonly kind: 'on';
			readonly token: string | undefined;
			readonly tools: ToolFilter;
			/** It is offered the tool by which Claude Code has its own calls decided. */
			readonly permissionPrompt: 'offered' | 'off';
			readonly elicitation: ElicitationRule;
	  };

/** The questions of servers that a client calls: put to its own person where it can do that, or to a console. */
export type ElicitationRule = 'asked' | 'at-a-console';

/** Exact names or globs of tools. Without `include`: all but `exclude`. */
export type ToolFilter = {readonly include?: readonly string[]; readonly exclude: readonly string[]};

/** The filter of a client without one. */
export const everyTool: ToolFilter = {exclude: []};

/** The names of clients: they stand in variables, addresses and rules. */
export const clientNamePattern = /^[a-z0-9][\w.-]{0,63}$/iu;

const filterSchema = () =>
	field(
		z.strictObject({
			include: textList('Only these tools are offered: registered names or SERVER/TOOL, exact or globs.'),
			exclude: textList(
				'These tools are not offered: registered names or SERVER/TOOL, exact or globs. `include` wins.',
			),
		}),
		{description: 'The tools that this client is offered.', allowed: 'a mapping with include, exclude'},
	).optional();

const clientSchema = () =>
	field(
		z.union([
			z.literal(false),
			z.strictObject({
				token: text('Bearer token of this client, usually a reference to a variable.'),
				tools: filterSchema(),
				elicitation: boolLike('Servers that it calls ask its own person, as far as it can do that.', false),
				permission_prompt: boolLike(
					'Offer the tool `permission_prompt`, by which `claude -p` has its own calls decided.',
					false,
				),
			}),
		]),
		{
			description: 'A client with a token of its own.',
			allowed: 'a mapping with token, tools, elicitation, permission_prompt, or false for `default`',
		},
	);

/** `gateway.endpoint.clients` in config.yaml. */
export const endpointClientsSchema = lazy(() =>
	field(z.record(z.string(), clientSchema()), {
		description: 'Clients by name. The token of the endpoint belongs to the client `default`, which may be false.',
		allowed: 'a mapping of names to clients',
	}),
);

/** Reads `gateway.endpoint.clients`. A mistake anywhere in it admits nobody: a filter or a `false` may be spelled wrong. */
export function parseEndpointClients(written: unknown, section: Section): EndpointClients {
	const reading = readStrictly(endpointClientsSchema(), written ?? {}, section);
	if (reading.kind === 'broken') {
		return {kind: 'broken', reason: reading.problem.message};
	}

	for (const [name, client] of Object.entries(reading.value)) {
		const fault = nameFault(name, client);
		if (fault !== undefined) {
			return {kind: 'broken', reason: refuse(section, [name], fault).message};
		}
	}

	return {
		kind: 'read',
		clients: new Map([
			[
				'default',
				{kind: 'on', token: undefined, tools: everyTool, permissionPrompt: 'off', elicitation: 'at-a-console'},
			],
			...Object.entries(reading.value).map(([name, client]) => [name, clientConfig(client)] as const),
		]),
	};
}

type WrittenClient = z.output<ReturnType<typeof clientSchema>>;

function nameFault(name: string, client: WrittenClient): string | undefined {
	if (!clientNamePattern.test(name)) {
		return 'A client is named by letters, digits and `_ . -`, at most 64';
	}

	if (client === false) {
		return name === 'default' ? undefined : 'Only the client `default` may be false; remove any other one';
	}

	return name !== 'default' && !client.token ? 'A client needs a token' : undefined;
}

function clientConfig(client: WrittenClient): EndpointClientConfig {
	if (client === false) {
		return {kind: 'off'};
	}

	const include = toTexts(client.tools?.include);
	const exclude = toTexts(client.tools?.exclude) ?? [];
	return {
		kind: 'on',
		token: client.token || undefined,
		tools: {...(include && {include}), exclude},
		permissionPrompt: toBoolean(client.permission_prompt) ? 'offered' : 'off',
		elicitation: toBoolean(client.elicitation) ? 'asked' : 'at-a-console',
	};
}
