import {type Failures, noFailures} from '../../state/entities/delivery.ts';
import {type Part, partEntity} from '../../state/entities/part.ts';
import {partText} from '../../state/entities/status-text.ts';
import {
	type EndpointRow,
	type FailedDeliveryRow,
	type ModelRow,
	type PlatformRow,
	type Snapshot,
} from '../../state/snapshot.ts';
import {entityRow} from './entity-row.ts';
import {type ListRow, rememberRows} from './list-row.ts';

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
	return partRow(
		{
			id: platformId(row),
			kind: 'platform',
			name: row.platform,
			status: partText[row.state],
			note: '',
			reason: row.reason ?? '',
			nextActions: row.nextActions,
			profile: row.profile,
		},
		{rows, gateway, nameOf: ({route, job}) => `from ${route || (job ? `job ${job}` : 'runs by hand')}`},
	);
}

function partRow(part: Part, failing: Failures = noFailures): ListRow {
	return entityRow(partEntity, {...part, failing});
}
