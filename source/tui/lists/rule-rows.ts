import {type RuleList, type Snapshot} from '../../state/snapshot.ts';
import {dateAndTime} from '../../state/time-text.ts';
import {type RuleRow, type RulesProblem} from '../../state/view-event.ts';
import {cell, type Line, span} from '../text/span.ts';
import {ruleText, type StatusLabel, type Tone} from '../../state/entities/status-text.ts';
import {type KeyNames, labelled, labelledStatus, type ListRow} from './list-row.ts';
import {stateValue} from './sorting.ts';

/** The rows of the rules: first why they cannot be read, where that is so, then those of config.yaml in its order, then what was stored. */
export function ruleRows({ruleList}: Pick<Snapshot, 'ruleList'>): readonly ListRow[] {
	if (!ruleList) {
		return [];
	}

	const {problem, rules} = ruleList;
	return [...(problem ? [problemRow(problem)] : []), ...rules.map(rule => ruleListRow(rule, ruleList))];
}

const problemId = 'rules_invalid';

/** Whether a row says why the rules cannot be read. */
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
	return {
		id: rule.id,
		copy: rule.id,
		fields: () => ({
			rule: rule.words,
			action: rule.action,
			server: rule.server,
			tool: rule.tool,
			source: rule.source,
			state: rule.state,
			scope: rule.scope,
			id: rule.id,
		}),
		values: () => ({name: rule.words, state: stateValue(statusOf(rule)), uses: rule.uses, used: rule.lastUsedAt}),
		line: (width, now) => ruleLine(rule, {width, use: useText(rule, {now, keptDays})}),
		detail: (width, now, keys) => ruleDetail(rule, {width, use: useText(rule, {now, keptDays}), keys}),
	};
}

/** How often a rule was used and when last, short for a column and whole. */
type UseText = {readonly short: string; readonly whole: string; readonly tone: Tone};

const dayMilliseconds = 24 * 60 * 60 * 1000;

/** After so many days without a use a rule is pointed out: it may not be needed any more. */
const unusedDays = 30;

/** Where the journal keeps fewer days, only those are spoken of. How long a rule of config.yaml has stood there is not known. */
function useText(
	{uses, lastUsedAt, createdAt}: RuleRow,
	{now, keptDays}: {readonly now: number; readonly keptDays: number},
): UseText {
	const days = Math.min(unusedDays, keptDays);
	const begin = now - days * dayMilliseconds;
	if (lastUsedAt !== undefined && lastUsedAt >= begin) {
		const times = uses === 1 ? 'once' : `${uses.toLocaleString('en-US')} times`;
		return {short: `used ${times}`, whole: `${times}, last ${dateAndTime(lastUsedAt)}`, tone: 'dim'};
	}

	if (createdAt !== undefined && createdAt > begin) {
		return {short: 'not used yet', whole: 'not used yet', tone: 'dim'};
	}

	const short = `never used for ${days} ${days === 1 ? 'day' : 'days'}`;
	const last = lastUsedAt === undefined ? '' : `, last ${dateAndTime(lastUsedAt)}`;
	return {short, whole: `${short}${last}`, tone: 'busy'};
}

const sourceCells = 14;
const useCells = 23;

/** The words of a rule begin with what it does; only that it is void is not in them. */
function ruleLine(rule: RuleRow, {width, use}: {readonly width: number; readonly use: UseText}): Line {
	const {glyph, word, tone} = statusOf(rule);
	const words = rule.state === 'void' ? `${word}: ${rule.words}` : rule.words;
	return width < 60
		? [span(`${glyph} `, tone), span(words, 'strong')]
		: [
				span(`${glyph} `, tone),
				cell(words, width - 2 - sourceCells - useCells, 'strong'),
				cell(sourceText(rule).short, sourceCells, 'dim'),
				span(use.short, use.tone),
			];
}

function statusOf({state, action}: RuleRow): StatusLabel {
	return ruleText[state === 'void' ? 'void' : action];
}

function sourceText({source, scope}: RuleRow): {readonly short: string; readonly whole: string} {
	if (source === 'config') {
		return {short: 'config.yaml', whole: 'config.yaml, under approvals.rules'};
	}

	return {
		run: {short: 'until run end', whole: 'approved until its run ends'},
		session: {short: 'until stop', whole: 'approved until Sluice stops'},
		always: {short: 'stored', whole: 'in approval-rules.json'},
	}[scope];
}

function ruleDetail(
	rule: RuleRow,
	{width, use, keys}: {readonly width: number; readonly use: UseText; readonly keys: KeyNames},
): Line[] {
	const remove =
		rule.source === 'config'
			? 'in config.yaml, then sluice reload'
			: keys.named('revoke-rule', 'removes it, and asks first');
	return [
		labelledStatus('action', statusOf(rule)),
		...labelled('rule', rule.words, width),
		...labelled('reason', rule.reason, width),
		...labelled('used', use.whole, width),
		...labelled('source', sourceText(rule).whole, width),
		...labelled('since', rule.createdAt === undefined ? undefined : dateAndTime(rule.createdAt), width),
		...labelled('remove', remove, width),
		...labelled('id', rule.id, width),
		...(rule.state === 'void'
			? [[], [span(' its definition has changed since; the next call asks again', 'dim')]]
			: []),
	];
}
