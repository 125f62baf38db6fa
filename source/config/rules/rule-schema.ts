import {z} from 'zod';
import {lazy} from '../../util/lazy.ts';
import {field} from '../values/field-rule.ts';

/** The values that a condition may compare with. */
export type Scalar = string | number | boolean;

/** The condition of a rule on one argument, as it is written: exactly one of these (docs/rules.md, Conditions). */
export type Condition =
	| {readonly equals: Scalar}
	| {readonly in: readonly Scalar[]}
	| {readonly prefix: string}
	| {readonly glob: string}
	| {readonly host: readonly string[]}
	| {readonly min?: number; readonly max?: number}
	| {readonly absent: true};

/** The origin of a call, as far as rules can tell (docs/rules.md, Origins). */
export type RuleOrigin = {
	readonly kind: 'route' | 'job' | 'endpoint' | 'command' | 'person';
	readonly name?: string;
};

/** A rule as config.yaml and the file of stored rules write it, with the lists that were left out (docs/rules.md, Keys of a rule). */
export type RuleEntry = {
	readonly action: 'allow' | 'ask' | 'deny';
	/** A name of `mcp_servers`, with fnmatch wildcards; absent: any. */
	readonly server?: string;
	/** The tool's own name at its server, with fnmatch wildcards; absent: any. */
	readonly tool?: string;
	/** By the path of the argument, its members joined with dots. */
	readonly arguments: Readonly<Record<string, Condition>>;
	/** Top-level arguments, or paths below them, that an allow rule lets have any value. */
	readonly ignore: readonly string[];
	readonly origin?: RuleOrigin;
	/** Shown where the rule decides. */
	readonly reason?: string;
};

const longestText = 4000;
const maxItems = 1000;

const shortText = (description: string, allowed = 'text') =>
	field(z.string().min(1).max(longestText), {description, allowed});

const scalar = z.union([z.string().max(longestText), z.number(), z.boolean()]);

const conditionSchema = lazy(() =>
	field(
		z.strictObject({
			equals: field(scalar, {
				description: 'The value the argument must have.',
				allowed: 'text, a number, true or false',
			}).optional(),
			in: field(z.array(scalar).min(1).max(maxItems), {
				description: 'The values the argument may have.',
				allowed: 'a list of texts, numbers, true or false',
			}).optional(),
			prefix: shortText(
				'An absolute path: the argument is this path or one below it, after `.` and `..` are resolved.',
				'an absolute path without `..`',
			).optional(),
			glob: shortText('A pattern (fnmatch) for the whole text: `*` matches slashes too.').optional(),
			host: field(z.array(z.string().min(1).max(longestText)).min(1).max(maxItems), {
				description: 'The argument is an https URL of one of these hosts.',
				allowed: 'a list of host names',
			}).optional(),
			min: field(z.number(), {description: 'The smallest allowed number.', allowed: 'a number'}).optional(),
			max: field(z.number(), {description: 'The largest allowed number.', allowed: 'a number'}).optional(),
			absent: field(z.literal(true), {description: 'The argument must not be given.', allowed: 'true'}).optional(),
		}),
		{
			description: 'A condition on the argument.',
			allowed: 'a mapping with one condition, such as `prefix: /srv/app`',
		},
	),
);

const originSchema = lazy(() =>
	field(
		z.strictObject({
			kind: field(z.enum(['route', 'job', 'endpoint', 'command', 'person']), {
				description: 'The kind of caller.',
				allowed: 'route, job, endpoint, command, person',
				noun: 'kind of caller',
			}),
			name: shortText('The name of the route, the job or the client.').optional(),
		}),
		{description: 'Where the call comes from.', allowed: 'a mapping with kind and name'},
	),
);

/** The schema of one rule. */
export const ruleSchema = lazy(() =>
	field(
		z.strictObject({
			action: field(z.enum(['allow', 'ask', 'deny']), {
				description: 'The decision on a call that the rule matches.',
				allowed: 'allow, ask, deny',
				noun: 'action',
			}),
			server: shortText('Name of the server (fnmatch); `sluice` for built-in tools. Left out: any server.').optional(),
			tool: shortText("The tool's own name (fnmatch). Left out: any tool.").optional(),
			arguments: field(z.record(z.string(), conditionSchema()), {
				description: 'Conditions by argument; a dot leads into an object.',
				allowed: 'a mapping of argument names to conditions',
			}).optional(),
			ignore: field(z.array(z.string().min(1).max(longestText)).max(maxItems), {
				description: 'Arguments that an allow rule lets have any value.',
				allowed: 'a list of argument names',
			}).optional(),
			origin: originSchema().optional(),
			reason: shortText('Shown where the rule decides.').optional(),
		}),
		{description: 'A rule.', allowed: 'a mapping with action, server, tool and arguments'},
	),
);

export type WrittenRule = z.infer<ReturnType<typeof ruleSchema>>;
export type WrittenCondition = z.infer<ReturnType<typeof conditionSchema>>;
