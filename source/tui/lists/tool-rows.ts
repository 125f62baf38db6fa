import {type ToolRow} from '../../state/view-event.ts';
import {indentJson} from '../../util/json-text.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {wideCells} from './columns.ts';
import {labelled, labelledStatus, type ListRow, rememberRows, wrappedLines} from './list-row.ts';
import {jsonLines} from '../text/json-lines.ts';
import {cell, type Line, ruleLine, span} from '../text/span.ts';
import {tokenizer, tokensText} from '../../state/entities/server.ts';
import {approvalNeedText, hintText, toolText} from '../../state/entities/status-text.ts';
import {stateValue} from './sorting.ts';
import {claimed, shownName} from '../../util/safe-text.ts';

/** The row of a tool. */
export const toolListRow = rememberRows(
	(tool: ToolRow): ListRow => ({
		id: tool.name,
		copy: tool.name,
		fields: () => ({
			tool: tool.tool,
			server: tool.server,
			name: tool.name,
			state: tool.state,
			approval: tool.approval,
			trust: tool.trust,
			description: tool.description,
		}),
		values: () => ({name: tool.tool, state: stateValue(toolText[tool.state]), tokens: tool.tokens}),
		line: width => toolLine(tool, width),
		detail: width => toolDetail(tool, width),
	}),
);

function toolLine(tool: ToolRow, width: number): Line {
	const {glyph, word, tone} = toolText[tool.state];
	const about = tool.reason ?? tool.description.split('\n')[0] ?? '';
	return width < 60
		? [
				span(`${glyph} `, tone),
				cell(shownName(tool.tool), 19, 'strong'),
				span(tool.state === 'registered' ? approvalNeedText[tool.approval] : word, 'dim'),
			]
		: [
				span(`${glyph} `, tone),
				cell(shownName(tool.tool), wideCells(25, 0.15, width), 'strong'),
				cell(word, 12, tone),
				cell(
					tool.state === 'registered' ? approvalNeedText[tool.approval] : '',
					12,
					tool.approval === 'ask' ? 'busy' : 'dim',
				),
				cell(hintText(tool.hints), width < 100 ? 13 : 29, 'dim'),
				...(width < 100 ? [] : [cell(tool.tokens === undefined ? '' : tokensText(tool.tokens), 15, 'dim')]),
				span(about, 'dim'),
			];
}

function toolDetail(tool: ToolRow, width: number): Line[] {
	const {rules = []} = tool;
	const approval = {
		none: 'calls need no approval',
		ask: rules.length === 0 ? 'every call asks for approval' : 'calls ask for approval, or do not, by these rules',
		remembered: 'calls are allowed by a remembered approval',
	}[tool.approval];
	return [
		labelledStatus('state', toolText[tool.state]),
		...labelled('reason', tool.reason, width),
		...labelled('known as', tool.name, width),
		...labelled('server', `${tool.server}, ${tool.trust === 'untrusted' ? 'untrusted' : 'trusted'}`, width),
		...labelled(
			'tokens',
			tool.tokens === undefined ? '' : `${tokensText(tool.tokens)} for a model, by ${tokenizer}`,
			width,
		),
		...labelled('title', claimed('', tool.title), width),
		...labelled('hints', `${hintText(tool.hints)} (claimed by the server)`, width),
		...(tool.state === 'registered' ? labelled('approval', approval, width) : []),
		...rules.flatMap((rule, index) => labelled(index === 0 ? 'rules' : '', rule, width)),
		ruleLine(uiText`description · from the server, not checked`, width),
		...wrappedLines(tool.description, width),
		ruleLine('arguments it takes', width),
		...(tool.inputSchema === undefined
			? [[span(' the schema is too large to show', 'dim')]]
			: jsonLines(indentJson(tool.inputSchema), width)),
	];
}
