import {isDeepStrictEqual} from 'node:util';
import {isJsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {parseApprovals} from '../read/settings.ts';
import {endpointTokenName} from '../secrets/env-file.ts';
import {referencesIn} from '../secrets/variables.ts';
import {valueAt} from '../values/plain-value.ts';
import {sectionWithoutFile} from '../values/section.ts';

/** The parsed config.yaml of a profile, and its variables. */
export type ConfigState = {readonly value: unknown; readonly variable: (name: string) => string | undefined};

/**
Throws `commands_denied` where `approvals.cli: deny` holds and a change is about `approvals`, `limits`, `gateway.endpoint` or the trust of a
server (docs/approvals.md). Values are compared, with the variables they refer to; an added server that is untrusted is none of these.
*/
export function assertCommandMayChange(before: ConfigState, after: ConfigState): void {
	const {approvals} = parseApprovals(valueAt(before.value, ['approvals']), sectionWithoutFile('approvals'));
	const changed = approvals.commandLine === 'deny' ? changedSetting(before, after) : undefined;
	if (changed !== undefined) {
		throw new Problem('commands_denied', {
			message: `Commands may not change ${changed} here (\`approvals.cli: deny\`); nothing was written`,
			remedy: 'Change config.yaml in an editor of your own',
		});
	}
}

const guardedPaths = [['approvals'], ['limits'], ['gateway', 'endpoint']] as const;

/** The setting that differs and that commands may not change, with its name; undefined without one. */
function changedSetting(before: ConfigState, after: ConfigState): string | undefined {
	const path = guardedPaths.find(keys => !isDeepStrictEqual(settingAt(before, keys), settingAt(after, keys)));
	if (path) {
		return `\`${path.join('.')}\``;
	}

	const [old, fresh] = [trustOf(before.value), trustOf(after.value)];
	const isSame = [...new Set([...old.keys(), ...fresh.keys()])].every(name =>
		isAllowed(old.get(name), fresh.get(name)),
	);
	return isSame ? undefined : 'the `trust` of a server';
}

function settingAt({value, variable}: ConfigState, path: readonly string[]): unknown {
	const setting = valueAt(value, path) ?? null;
	// Without a token of its own the endpoint uses this variable.
	const names = [...referencesIn(setting), ...(path[0] === 'gateway' ? [endpointTokenName] : [])];
	return {setting, variables: names.map(name => [name, variable(name) ?? ''])};
}

type Trust = {readonly written: unknown; readonly level: 'full' | 'untrusted'};

function trustOf(value: unknown): ReadonlyMap<string, Trust> {
	const servers = valueAt(value, ['mcp_servers']);
	const entries = isJsonObject(servers) ? Object.entries(servers).filter(([, entry]) => isJsonObject(entry)) : [];
	return new Map(
		entries.map(([name, entry]) => {
			const written = valueAt(entry, ['trust']);
			return [name, {written, level: written === undefined || written === 'full' ? 'full' : 'untrusted'}];
		}),
	);
}

function isAllowed(before: Trust | undefined, after: Trust | undefined): boolean {
	return before && after
		? isDeepStrictEqual(before, after)
		: after
			? after.level === 'untrusted'
			: before?.written === undefined;
}
