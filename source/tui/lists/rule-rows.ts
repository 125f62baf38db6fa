import {ruleEntity} from '../../state/entities/rule.ts';
import {ruleText} from '../../state/entities/status-text.ts';
import {type RuleList, type Snapshot} from '../../state/snapshot.ts';
import {type RuleRow, type RulesProblem} from '../../state/view-event.ts';
import {span} from '../text/span.ts';
import {entityRow} from './entity-row.ts';
import {labelled, labelledStatus, type ListRow} from './list-row.ts';

/** The rows of the rules: first why they cannot be read, where that is so, then those of config.yaml in its order, then what was stored. */
export function ruleRows({ruleList}: Pick<Snapshot, 'ruleList'>): readonly ListRow[] {
	if (!ruleList) {
		return [];
	}

	const {problem, rules} = ruleList;
	return [...(problem ? [problemRow(problem)] : []), ...rules.map(rule => ruleListRow(rule, ruleList))];
}

const problemId = 'rules_invalid';

/** True for the row with the reason that the rules cannot be read. */
export function isRulesProblem({id}: Pick<ListRow, 'id'>): boolean {
	return id === problemId;
}

function problemRow({reason, inForce}: RulesProblem): ListRow {
	const status = ruleText.rules_invalid;
	const consequence = {
		'no-tool-calls': 'no tool is called until they can be read',
		'former-rules': 'the rules below hold until the file is mended',
	}[inForce];
	return {
		id: problemId,
		fields: () => ({state: 'rules_invalid', reason}),
		line: () => [span(`${status.glyph} ${status.word} `, status.tone), span(reason)],
		detail: width => [
			labelledStatus('state', status),
			...labelled('reason', reason, width),
			...labelled('meanwhile', consequence, width),
			...labelled('next', 'mend it, then sluice reload; sluice doctor names the place', width),
		],
	};
}

function ruleListRow(rule: RuleRow, {keptDays}: Pick<RuleList, 'keptDays'>): ListRow {
	return entityRow(ruleEntity, {...rule, keptDays}, ({state}) =>
		state === 'void' ? [[], [span(' its definition has changed since; the next call asks again', 'dim')]] : [],
	);
}
