import {type EndpointRow, type ModelRow, type PlatformRow, type Snapshot} from '../../state/snapshot.ts';
import {labelled, labelledStatus, type ListRow, rememberRows} from './list-row.ts';
import {own} from '../text/own-glyphs.ts';
import {cell, type Line, span} from '../text/span.ts';
import {partText, type StatusLabel} from '../text/status-text.ts';

/** The rows of the parts of the gateway: models, endpoint, platforms. */
export function partRows({
	models,
	endpoint,
	platforms,
}: Pick<Snapshot, 'models' | 'endpoint' | 'platforms'>): ListRow[] {
	return [...models.map(modelRow), ...(endpoint ? [endpointRow(endpoint)] : []), ...platforms.map(platformRow)];
}

/** A part as the columns that all kinds share. */
type Part = {
	readonly id: string;
	readonly kind: string;
	readonly name: string;
	readonly status: StatusLabel;
	readonly note: string;
	readonly reason: string;
	readonly profile: string;
};

const modelRow = rememberRows((row: ModelRow) =>
	partRow({
		id: `model/${row.profile}`,
		kind: 'model',
		name: row.model ? `${row.provider} ${row.model}` : row.provider,
		status: partText[row.source === 'none' ? 'none' : 'usable'],
		note: {
			config: 'from config.yaml',
			environment: 'from the environment',
			local: 'found on this machine',
			none: 'events wait in the inbox',
		}[row.source],
		reason: row.reason,
		profile: row.profile,
	}),
);

const endpointRow = rememberRows((row: EndpointRow) =>
	partRow({
		id: 'endpoint',
		kind: 'endpoint',
		name: row.url ?? 'aggregate endpoint',
		status: partText[row.state],
		note: row.url === undefined ? '' : 'all tools as one MCP server',
		reason: row.reason ?? '',
		profile: row.profile,
	}),
);

const platformRow = rememberRows((row: PlatformRow) =>
	partRow({
		id: `platform/${row.profile}/${row.platform}`,
		kind: 'platform',
		name: row.platform,
		status: partText[row.state],
		note: '',
		reason: row.reason ?? '',
		profile: row.profile,
	}),
);

function partRow(part: Part): ListRow {
	return {
		id: part.id,
		copy: part.name,
		fields: () => ({
			kind: part.kind,
			name: part.name,
			state: part.status.word,
			reason: part.reason,
			profile: part.profile,
		}),
		line: width => partLine(part, width),
		detail: width => [
			labelledStatus('state', part.status),
			...labelled(part.kind, part.name, width),
			...labelled('note', part.note, width),
			...labelled('reason', part.reason, width),
			...labelled('profile', part.profile, width),
		],
	};
}

function partLine({kind, name, status, note, reason}: Part, width: number): Line {
	const words = [note, reason].filter(text => text !== '').join(own` · `);
	return width < 60
		? [span(`${status.glyph} `, status.tone), cell(name, 20, 'strong'), span(` ${status.word}`, status.tone)]
		: [
				span(`${status.glyph} `, status.tone),
				cell(kind, 10, 'dim'),
				cell(name, 26, 'strong'),
				span(' '),
				cell(status.word, 11, status.tone),
				span(words, 'dim'),
			];
}
