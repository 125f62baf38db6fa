import {type AgentConfig, type ApprovalsConfig, type JournalConfig} from './gateway-config.ts';
import {toNumber} from './number-like.ts';
import {reportUnbuilt, unbuiltRootKeys} from './not-supported-yet.ts';
import {readSection} from './read-section.ts';
import {type Section, subsection} from './section.ts';
import {modelSchema, searchSchema, visionModelSchema} from './model-schema.ts';
import {
	agentSchema,
	approvalsSchema,
	journalSchema,
	metricsSchema,
	platformToolsetsSchema,
	settingsDefaults,
} from './settings-schema.ts';

/** Reads `approvals`; a section that cannot be used is told about and the defaults stand. */
export function parseApprovals(written: unknown, section: Section): ApprovalsConfig {
	const reading = readSection(approvalsSchema, written ?? {}, section);
	const value = reading.kind === 'read' ? reading.value : {};
	return {
		timeoutSeconds: toNumber(value.timeout, settingsDefaults.approvalTimeoutSeconds),
		unattended: value.unattended ?? 'deny',
	};
}

/** Reads `agent`; a section that cannot be used is told about and the defaults stand. */
export function parseAgent(written: unknown, section: Section): AgentConfig {
	const reading = readSection(agentSchema, written ?? {}, section);
	const value = reading.kind === 'read' ? reading.value : {};
	return {
		maxConcurrentRuns: toNumber(value.max_concurrent_runs, settingsDefaults.maxConcurrentRuns),
		maxQueuedRuns: toNumber(value.max_queued_runs, settingsDefaults.maxQueuedRuns),
	};
}

/** Reads `journal`; a section that cannot be used is told about and the defaults stand. */
export function parseJournal(written: unknown, section: Section): JournalConfig {
	const reading = readSection(journalSchema, written ?? {}, section);
	const value = reading.kind === 'read' ? reading.value : {};
	return {
		maxAgeDays: toNumber(value.max_age_days, settingsDefaults.journalDays),
		maxBytes: toNumber(value.max_bytes, settingsDefaults.journalBytes),
	};
}

const unreadSections = {
	model: modelSchema,
	vision_model: visionModelSchema,
	search: searchSchema,
	platform_toolsets: platformToolsetsSchema,
	metrics: metricsSchema,
} as const;

/** Holds the sections whose values nothing reads yet to their schemas, and tells about every unbuilt key. `section` stands at the root. */
export function checkUnread(root: Readonly<Record<string, unknown>>, section: Section): void {
	for (const [key, schema] of Object.entries(unreadSections)) {
		readSection<unknown>(schema, root[key] ?? {}, subsection(section, [key]));
	}

	reportUnbuilt(unbuiltRootKeys, root, section);
}
