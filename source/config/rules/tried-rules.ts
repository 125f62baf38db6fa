import {z} from 'zod';
import {isJsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {type ConfigFile, parseConfigText, readConfigFile} from '../read/file.ts';
import {parseApprovals} from '../read/settings.ts';
import {createProblemList} from '../values/problem-list.ts';
import {readStrictly, type SectionReading} from '../values/read-section.ts';
import {refuse, type Section, subsection} from '../values/section.ts';
import {type ConfiguredRule, type ConfiguredRules, parseRule, parseRules} from './rule-entry.ts';
import {ruleSchema, type WrittenRule} from './rule-schema.ts';

/** Rules that are not in force: more of them, or all that config.yaml would have. */
export type TriedRules = {readonly kind: 'added' | 'whole'; readonly rules: readonly ConfiguredRule[]};

/**
Reads the rules of a YAML or JSON file: a list of rules, or those under `approvals` of a config.yaml (docs/rules.md, Rehearsal).
Rejects with the problem of its first mistake, or `bad_usage` where there is none.
*/
export async function readTriedRules(path: string): Promise<TriedRules> {
	const file = await readConfigFile(path);
	if (file.kind === 'absent') {
		throw new Problem('bad_usage', {message: `The file ${safeText(path)} does not exist`});
	}

	const {value, section} = contentOf(file, path);
	if (Array.isArray(value)) {
		const written = valueOf<WrittenRule[]>(readStrictly(z.array(ruleSchema()), value, section));
		return {kind: 'added', rules: rulesOf(parseRules(written, section))};
	}

	if (isJsonObject(value) && Object.hasOwn(value, 'approvals')) {
		const {rules} = parseApprovals(value['approvals'], subsection(section, ['approvals']));
		return {kind: 'whole', rules: rulesOf(rules)};
	}

	throw refuse(section, [], 'The file has no rules. Allowed: a list of rules, or a config.yaml with `approvals`');
}

/** Reads one rule from the text of a flag. Throws the problem of its first mistake. */
export function readTriedRule(text: string): TriedRules {
	const {value, section} = contentOf(parseConfigText(flagName, text), flagName);
	valueOf(parseRule(value, section));
	const written = valueOf<WrittenRule>(readStrictly(ruleSchema(), value, section));
	return {kind: 'added', rules: rulesOf(parseRules([written], section))};
}

const flagName = '--rule';

function contentOf(file: ConfigFile, name: string): {readonly value: unknown; readonly section: Section} {
	if (file.kind === 'unusable') {
		throw file.problems[0] ?? new Problem('config_unreadable');
	}

	const {value, locate} = file.kind === 'read' ? file : {value: undefined, locate: undefined};
	return {value, section: {problems: createProblemList({file: name, locate}), path: []}};
}

function valueOf<Value>(reading: SectionReading<Value>): Value {
	if (reading.kind === 'broken') {
		throw reading.problem;
	}

	return reading.value;
}

function rulesOf(read: ConfiguredRules): readonly ConfiguredRule[] {
	if (read.kind === 'invalid') {
		throw read.problem;
	}

	return read.rules;
}
