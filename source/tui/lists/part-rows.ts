import {
	type EndpointRow,
	type FailedDeliveryRow,
	type ModelRow,
	type PlatformRow,
	type Snapshot,
} from '../../state/snapshot.ts';
import {wideCells} from './columns.ts';
import {type Failures, failuresDetail, failuresNote, failuresStatus, noFailures} from './failed-delivery-lines.ts';
import {labelled, type ListRow, nextActionText, rememberRows} from './list-row.ts';
import {uiText} from '../../util/characters/ui-glyphs.ts';
import {cell, type Line, span} from '../text/span.ts';
import {failingText, partText, type StatusLabel} from '../../state/entities/status-text.ts';
import {stateValue} from './sorting.ts';

/** The rows of the parts of the gateway: models, endpoint, platforms. A platform that is gone stays while deliveries to it count as failed. */
export function partRows({
	models,
	endpoint,
	platforms,
	failedDeliveries,
	gateway,
}: Pick<Snapshot, 'models' | 'endpoint' | 'platforms' | 'failedDeliveries' | 'gateway'>): ListRow[] {
	const shown = [...platforms, ...missingPlatforms(platforms, failedDeliveries)];
	return [
		...models.map(modelRow),
		...(endpoint ? [endpointRow(endpoint)] : []),
		...shown.map(platform => {
			const rows = failuresOfPlatform(platform, failedDeliveries);
			return rows.length === 0 ? steadyRow(platform) : platformRow(platform, {rows, gateway});
		}),
	];
}

/** Platforms of two profiles may share a name. */
export function platformId({profile, platform}: Pick<PlatformRow, 'profile' | 'platform'>): string {
	return `platform/${profile}/${platform}`;
}

/** The deliveries that fail at a platform. */
function failuresOfPlatform(
	{profile, platform}: Pick<PlatformRow, 'profile' | 'platform'>,
	failed: readonly FailedDeliveryRow[],
): readonly FailedDeliveryRow[] {
	return failed.filter(row => row.target === platform && row.profile === profile);
}

function missingPlatforms(
	platforms: readonly PlatformRow[],
	failed: readonly FailedDeliveryRow[],
): readonly PlatformRow[] {
	const known = new Set(platforms.map(platformId));
	const missing = failed.map(
		({profile, target}): PlatformRow => ({
			profile,
			platform: target,
			state: 'unusable',
			reason: 'neither configured nor named by a route',
		}),
	);
	return [...new Map(missing.map(row => [platformId(row), row])).values()].filter(row => !known.has(platformId(row)));
}

/** A part as the columns that all kinds share. */
type Part = {
	readonly id: string;
	readonly kind: string;
	readonly name: string;
	readonly status: StatusLabel;
	readonly note: string;
	readonly reason: string;
	readonly nextActions?: PlatformRow['nextActions'];
	readonly profile: string;
	readonly failures?: Failures;
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
		nextActions: row.nextActions,
		profile: row.profile,
	}),
);

/** A platform whose deliveries arrive. */
const steadyRow = rememberRows((row: PlatformRow) => platformRow(row, noFailures));

function platformRow(row: PlatformRow, {rows, gateway}: Omit<Failures, 'nameOf'>): ListRow {
	return partRow({
		id: platformId(row),
		kind: 'platform',
		name: row.platform,
		status: partText[row.state],
		note: '',
		reason: row.reason ?? '',
		nextActions: row.nextActions,
		profile: row.profile,
		failures: {rows, gateway, nameOf: ({route, job}) => `from ${route || (job ? `job ${job}` : 'runs by hand')}`},
	});
}

function partRow(part: Part): ListRow {
	const {failures = noFailures} = part;
	return {
		id: part.id,
		copy: part.name,
		fields: () => ({
			kind: part.kind,
			name: part.name,
			state: failures.rows.length === 0 ? part.status.word : `${part.status.word} ${failingText.word}`,
			reason: [part.reason, failuresNote(failures)].join(' ').trim(),
			profile: part.profile,
		}),
		values: () => ({name: part.name, state: stateValue(failures.rows.length === 0 ? part.status : failingText)}),
		line: width => partLine(part, failures, width),
		detail: (width, _, keys) => [
			failuresStatus(part.status, failures),
			...failuresDetail(failures, width, keys),
			...labelled(part.kind, part.name, width),
			...labelled('note', part.note, width),
			...labelled('reason', part.reason, width),
			...labelled('next', nextActionText(part, keys), width),
			...labelled('profile', part.profile, width),
		],
	};
}

function partLine({kind, name, status, note, reason}: Part, failures: Failures, width: number): Line {
	const trouble = failuresNote(failures);
	const {glyph, word, tone} = trouble === '' ? status : failingText;
	const words = [note, reason].filter(text => text !== '').join(uiText` · `);
	return width < 60
		? [span(`${glyph} `, tone), cell(name, 21, 'strong'), span(word, tone)]
		: [
				span(`${glyph} `, tone),
				cell(kind, 10, 'dim'),
				cell(name, wideCells(27, 0.25, width), 'strong'),
				cell(word, 11, tone),
				trouble === '' ? span(words, 'dim') : span(trouble, tone),
			];
}
