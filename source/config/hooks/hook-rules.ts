import {type Condition, type RuleEntry} from '../rules/rule-schema.ts';
import {folderArgument, guardedToolsOf, isHookServer} from './hook-tools.ts';

/** The mistake of an allow rule, at the key that has it. */
type RuleFault = {readonly path: readonly string[]; readonly text: string};

type WrittenRule = Pick<RuleEntry, 'arguments' | 'ignore'> & {readonly server: string; readonly tool: string};

/**
The mistake of an allow rule for tools of programs (docs/hooks.md, Rules): one on a shell command names the whole command and its folder, and no rule
allows every call of a shell, edit or network tool. Undefined for any other rule.
*/
export function hookRuleFault(rule: WrittenRule): RuleFault | undefined {
	if (!isHookServer(rule.server)) {
		return undefined;
	}

	const tools = guardedToolsOf(rule);
	const shell = tools.find(({kind}) => kind === 'shell');
	const [tool] = tools;
	if (shell) {
		return shellFault(rule, shell);
	}

	return tool && !Object.values(rule.arguments).some(saysSomething)
		? {
				path: ['arguments'],
				text: `An allow rule cannot be for every call of ${tool.server}/${tool.tool}. Add a condition on one of its arguments`,
			}
		: undefined;
}

function shellFault(
	{arguments: conditions, ignore}: WrittenRule,
	{server, tool, commandArgument}: ReturnType<typeof guardedToolsOf>[number],
): RuleFault | undefined {
	const needed = [commandArgument, folderArgument];
	const missing = needed.find(name => !Object.hasOwn(conditions, name));
	if (missing !== undefined) {
		return {
			path: ['arguments'],
			text: `An allow rule for shell commands (${server}/${tool}) needs conditions on \`${needed.join('` and `')}\`; \`${missing}\` is missing`,
		};
	}

	const wide = Object.entries(conditions).find(([, condition]) => !('equals' in condition || 'in' in condition));
	if (wide) {
		return {
			path: ['arguments', wide[0]],
			text: `An allow rule for shell commands (${server}/${tool}) compares whole values. Allowed: equals, in`,
		};
	}

	const ignored = ignore.find(name => name !== 'description');
	return ignored === undefined
		? undefined
		: {
				path: ['ignore'],
				text: `An allow rule for shell commands (${server}/${tool}) may ignore only \`description\``,
			};
}

/** False for a condition that every call meets. */
function saysSomething(condition: Condition): boolean {
	if ('glob' in condition) {
		return !/^[*?]+$/u.test(condition.glob);
	}

	return 'prefix' in condition ? !/^\/+$/u.test(condition.prefix) : !('absent' in condition);
}
