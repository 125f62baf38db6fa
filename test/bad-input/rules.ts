import {readTriedRule, readTriedRules} from '../../source/config/rules/tried-rules.ts';
import {nextRunAt, parseSchedule} from '../../source/runs/cron-schedule.ts';
import {type BadInput, inConfig} from './bad-input.ts';

/** Rules of approvals, and schedules. */
export const ruleRows: readonly BadInput[] = [
	inConfig('a rule without an action', 'approvals:\n  rules:\n    - {server: files}\n', [
		'config_invalid: config.yaml:3:7: approvals.rules[0].action: A value is missing here. Allowed: allow, ask, deny',
	]),
	inConfig('an action with a typing mistake', 'approvals:\n  rules:\n    - {action: alow, server: a, tool: b}\n', [
		'config_invalid: config.yaml:3:16: approvals.rules[0].action: "alow" is not a known action; did you mean "allow"? Allowed: allow, ask, deny',
	]),
	inConfig('a key with a typing mistake', 'approvals:\n  rules:\n    - {action: deny, tol: x}\n', [
		'config_unknown_key: config.yaml:3:22: approvals.rules[0].tol: "tol" is not a known key; did you mean "tool"?',
	]),
	inConfig('an allow rule without a tool', 'approvals:\n  rules:\n    - {action: allow, server: a}\n', [
		'config_invalid: config.yaml:3:7: approvals.rules[0]: An allow rule needs both `server` and `tool`; `tool` is missing',
	]),
	inConfig('an allow rule for every tool', 'approvals:\n  rules:\n    - {action: allow, server: a, tool: "*"}\n', [
		'config_invalid: config.yaml:3:40: approvals.rules[0].tool: An allow rule cannot be for "*". Allowed: the name of a tool, or a pattern that contains a part of it',
	]),
	inConfig(
		'an allow rule for any route',
		'approvals:\n  rules:\n    - {action: allow, server: a, tool: b, origin: {kind: route}}\n',
		[
			'config_invalid: config.yaml:3:51: approvals.rules[0].origin: An allow rule must name its route. Write `{kind: route, name: NAME}`',
		],
	),
	inConfig('an argument without a condition', 'approvals:\n  rules:\n    - {action: deny, arguments: {path: {}}}\n', [
		'config_invalid: config.yaml:3:40: approvals.rules[0].arguments.path: The argument has no condition. Allowed: one of equals, in, prefix, glob, host, min and max, absent',
	]),
	inConfig(
		'an argument with two conditions',
		'approvals:\n  rules:\n    - {action: deny, arguments: {path: {equals: a, glob: b}}}\n',
		[
			'config_invalid: config.yaml:3:40: approvals.rules[0].arguments.path: An argument takes one condition, not 2. Allowed: one of equals, in, prefix, glob, host, min and max, absent',
		],
	),
	inConfig(
		'a condition with a typing mistake',
		'approvals:\n  rules:\n    - {action: deny, arguments: {path: {prefx: /srv}}}\n',
		[
			'config_unknown_key: config.yaml:3:41: approvals.rules[0].arguments.path.prefx: "prefx" is not a known key; did you mean "prefix"?',
		],
	),
	inConfig('a text for a condition', 'approvals:\n  rules:\n    - {action: deny, arguments: {path: /srv}}\n', [
		'config_invalid: config.yaml:3:40: approvals.rules[0].arguments.path: Text is not allowed here. Allowed: a mapping with one condition, such as `prefix: /srv/app`',
	]),
	inConfig('a relative path', 'approvals:\n  rules:\n    - {action: deny, arguments: {path: {prefix: srv}}}\n', [
		'config_invalid: config.yaml:3:49: approvals.rules[0].arguments.path.prefix: The path is not plain. Allowed: an absolute path without `..`, `%`, `~`, backslashes and control characters',
	]),
	inConfig(
		'an address for a host name',
		'approvals:\n  rules:\n    - {action: deny, arguments: {url: {host: ["https://a.example"]}}}\n',
		[
			'config_invalid: config.yaml:3:46: approvals.rules[0].arguments.url.host: A host name is not valid. Allowed: names such as api.example.com, without a scheme and a port',
		],
	),
	inConfig('a range that is empty', 'approvals:\n  rules:\n    - {action: deny, arguments: {n: {min: 5, max: 4}}}\n', [
		'config_invalid: config.yaml:3:51: approvals.rules[0].arguments.n.max: 4 is less than `min`. Allowed: 5 or more',
	]),
	inConfig('an origin that does not exist', 'approvals:\n  rules:\n    - {action: deny, origin: {kind: job-run}}\n', [
		'config_invalid: config.yaml:3:37: approvals.rules[0].origin.kind: "job-run" is not a known kind of caller. Allowed: route, job, endpoint, command, person',
	]),
	inConfig('a mapping for the rules', 'approvals: {rules: {}}\n', [
		'config_invalid: config.yaml:1:20: approvals.rules: A mapping is not allowed here. Allowed: a list of rules',
	]),
	{
		input: 'a rule of a flag that is not YAML',
		give: () => readTriedRule('{action: deny'),
		says: ['config_syntax: --rule:1:14: A } is missing above, or a line inside the brackets is not indented'],
	},
	{
		input: 'a file of rules that does not exist',
		give: () => readTriedRules('/nowhere/rules.yaml'),
		says: ['bad_usage: The file /nowhere/rules.yaml does not exist'],
	},
	{
		input: 'a schedule that is none',
		give: () => nextRunAt(parseSchedule('every 5 fortnights', 'UTC', 0), 0),
		says: [
			'cron_invalid: "every 5 fortnights" is not a valid schedule. Allowed: five cron fields, @daily and the like, `every 30m` (an interval), `30m` (once, in 30 minutes), or a date such as 2026-12-01T09:00',
		],
	},
	{
		input: 'a schedule with too many fields',
		give: () => nextRunAt(parseSchedule('* * * * * *', 'UTC', 0), 0),
		says: [
			'cron_invalid: "* * * * * *" is not a valid schedule. Allowed: five cron fields, @daily and the like, `every 30m` (an interval), `30m` (once, in 30 minutes), or a date such as 2026-12-01T09:00',
		],
	},
	{
		input: 'a schedule with a minute that does not exist',
		give: () => nextRunAt(parseSchedule('61 * * * *', 'UTC', 0), 0),
		says: [
			'cron_invalid: "61 * * * *" is not a valid schedule. Allowed: five cron fields, @daily and the like, `every 30m` (an interval), `30m` (once, in 30 minutes), or a date such as 2026-12-01T09:00 (the minute 61 does not exist)',
		],
	},
];
