import {toBoolean} from '../values/bool-like.ts';
import {
	type AgentConfig,
	type ApprovalsConfig,
	type JournalConfig,
	type MetricsConfig,
	type ToolsetsConfig,
} from './gateway-config.ts';
import {type ModelSections, parseModels} from './model-config.ts';
import {toNumber} from '../values/number-like.ts';
import {readSettings} from '../values/read-section.ts';
import {type Section, subsection} from '../values/section.ts';
import {toTexts} from '../values/text-like.ts';
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
	const value = readSettings(approvalsSchema, written, section);
	return {
		timeoutSeconds: toNumber(value.timeout, settingsDefaults.approvalTimeoutSeconds),
		unattended: value.unattended ?? 'deny',
	};
}

/** Reads what agent runs go by: `agent`, `model`, `vision_model`, `search`, `platform_toolsets`. `section` stands at the root. */
export function parseRunSections(
	root: Readonly<Record<string, unknown>>,
	section: Section,
): ModelSections & {readonly agent: AgentConfig; readonly toolsets: ToolsetsConfig} {
	const at = (key: string) => subsection(section, [key]);
	return {
		...parseModels(root, section),
		agent: parseAgent(root['agent'], at('agent')),
		toolsets: parseToolsets(root['platform_toolsets'], at('platform_toolsets')),
	};
}

/** A section that cannot be used is told about and the defaults stand. */
function parseAgent(written: unknown, section: Section): AgentConfig {
	const value = readSettings(agentSchema, written, section);
	return {
		maxSteps: toNumber(value.max_steps, settingsDefaults.maxSteps),
		...(value.instructions ? {instructions: value.instructions} : {}),
		maxConcurrentRuns: toNumber(value.max_concurrent_runs, settingsDefaults.maxConcurrentRuns),
		maxQueuedRuns: toNumber(value.max_queued_runs, settingsDefaults.maxQueuedRuns),
	};
}

/** Reads `journal`; a section that cannot be used is told about and the defaults stand. */
export function parseJournal(written: unknown, section: Section): JournalConfig {
	const value = readSettings(journalSchema, written, section);
	return {
		maxAgeDays: toNumber(value.max_age_days, settingsDefaults.journalDays),
		maxBytes: toNumber(value.max_bytes, settingsDefaults.journalBytes),
	};
}

/** The tools of webhook runs without `toolsets` of their own (docs/webhooks.md, Toolsets and skills). */
function parseToolsets(written: unknown, section: Section): ToolsetsConfig {
	const {webhook} = readSettings(platformToolsetsSchema, written, section);
	return {webhook: toTexts(webhook) ?? settingsDefaults.webhookToolsets};
}

/** Reads `metrics`; a section that cannot be used is told about and the defaults stand. */
export function parseMetrics(written: unknown, section: Section): MetricsConfig {
	const value = readSettings(metricsSchema, written, section);
	return {enabled: toBoolean(value.enabled) ?? false, token: value.token || undefined};
}
