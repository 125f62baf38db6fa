import {type RuleRow} from '../../state/view-event.ts';
import {timeOfDay} from '../../state/time-text.ts';
import {type ListRow, labelled, rememberRows} from './list-row.ts';
import {cell, type Line, span} from '../text/span.ts';
import {ruleText} from '../text/status-text.ts';

/** The row of a remembered approval. */
export const ruleListRow = rememberRows(
	(rule: RuleRow): ListRow => ({
		id: rule.id,
		copy: rule.id,
		fields: () => ({server: rule.server, tool: rule.tool, state: rule.state, scope: rule.scope, id: rule.id}),
		line: width => ruleRowLine(rule, width),
		detail: width => ruleDetail(rule, width),
	}),
);

function ruleRowLine(rule: RuleRow, width: number): Line {
	const {glyph, word, tone} = ruleText[rule.state];
	return [
		span(`${glyph} `, tone),
		cell(`${rule.server}/${rule.tool}`, Math.min(40, Math.max(12, width - 30)), 'strong'),
		span(' '),
		cell(scopeText[rule.scope], 12),
		span(word, tone),
	];
}

const scopeText = {session: 'until stop', always: 'always'} as const;

function ruleDetail(rule: RuleRow, width: number): Line[] {
	const {glyph, word, tone} = ruleText[rule.state];
	const since = new Date(rule.createdAt).toISOString().slice(0, 10);
	return [
		[span(' state      ', 'dim'), span(`${glyph} ${word}`, tone)],
		...labelled('tool', `${rule.server}/${rule.tool}`, width),
		...labelled('holds', scopeText[rule.scope], width),
		...labelled('since', `${since} ${timeOfDay(rule.createdAt)}`, width),
		...labelled('rule', rule.id, width),
		...(rule.state === 'void'
			? [[], [span(' the tool changed its definition since: its next call asks again', 'dim')]]
			: []),
	];
}
