import {expect} from 'vitest';
import {type EvaluatedCall, ruleVerdict} from '../../source/approvals/rule-verdict.ts';
import {type Rule} from '../../source/approvals/rule.ts';
import {parseRule} from '../../source/config/rules/rule-entry.ts';
import {sectionWithoutFile} from '../../source/config/values/section.ts';
import {registeredName} from '../../source/tools/registered-tool.ts';
import {type JsonObject} from '../../source/util/json-text.ts';

/** A rule as it is written in config.yaml. */
export function rule(written: JsonObject): Rule {
	const parsed = parseRule(written, sectionWithoutFile('rule'));
	return parsed.kind === 'read' ? {id: 'r', source: 'config', ...parsed.value} : expect.fail(JSON.stringify(written));
}

/** The schema of an object whose members these paths lead to. */
function schemaOf(paths: ReadonlyArray<readonly string[]>): JsonObject {
	const groups = Map.groupBy(
		paths.filter(path => path.length > 0),
		([name = '']) => name,
	);
	return {
		properties: Object.fromEntries(
			Array.from(groups, ([name, group]) => [name, schemaOf(group.map(path => path.slice(1)))]),
		),
	};
}

/** The verdict of one rule on a call of a tool whose schema knows the arguments that it names. */
export function verdictOf(one: Rule, args: JsonObject, more: Partial<EvaluatedCall> = {}): string {
	const {server = 'web', tool = 'fetch'} = one;
	const inputSchema = schemaOf(Object.keys(one.arguments).map(path => path.split('.')));
	return ruleVerdict([one], {
		server,
		tool,
		registeredName: registeredName(server, tool),
		arguments: args,
		inputSchema,
		origin: {kind: 'command'},
		...more,
	}).kind;
}
