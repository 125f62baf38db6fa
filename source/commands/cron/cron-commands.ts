import {type Command} from '../cli/command.ts';

const schedules = [
	'A schedule is a cron expression with five fields, `@daily` and the like; an interval: `every 30m`,',
	'`every 2h`, `every 1min`; a delay for one run: `30m` is once, in 30 minutes; or a date for one run,',
	'such as 2026-12-01T09:00.',
].join('\n');

const jobTexts = {
	prompt: {value: 'TEXT', summary: 'Prompt for the runs'},
	schedule: {value: 'TEXT', summary: "When it runs: 'every 30m', '0 9 * * 1-5', 30m (once), 2026-12-01T09:00"},
} as const;

const jobFlags = [
	'schedule',
	'timeZone',
	'prompt',
	'deliver',
	'deliverChatId',
	'onFailure',
	'skills',
	'toolsets',
] as const;

/** Scheduled jobs. */
export const cronCommands: readonly Command[] = [
	{
		words: ['cron', 'create'],
		aliases: [['cron', 'add']],
		usage: 'sluice cron create NAME --schedule TEXT --prompt TEXT [flags]',
		summary: 'Create a job that runs an agent on a schedule',
		details: schedules,
		flags: [...jobFlags, 'json'],
		flagTexts: jobTexts,
		examples: [
			"sluice cron create report --schedule '0 9 * * 1-5' --time-zone Europe/Berlin --prompt 'What is new?'",
			"sluice cron create watch --schedule 'every 15m' --prompt 'Is the site up?' --deliver telegram",
		],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronCreate(context, session),
	},
	{
		words: ['cron', 'list'],
		usage: 'sluice cron list [--json]',
		summary: 'List the jobs, with their next run and last result',
		flags: ['json'],
		examples: ['sluice cron list', "sluice cron list --json | jq '.[].next_run_at'"],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronList(context, session),
	},
	{
		words: ['cron', 'show'],
		usage: 'sluice cron show JOB [--json]',
		summary: 'Show all that the list has about one job',
		flags: ['json'],
		examples: ['sluice cron show daily'],
		takes: ['job'],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronShow(context, session),
	},
	{
		words: ['cron', 'edit'],
		usage: 'sluice cron edit JOB [flags]',
		summary: 'Change a job; settings without a flag stay as they are',
		details: schedules,
		flags: ['name', ...jobFlags, 'json'],
		flagTexts: {...jobTexts, name: {value: 'NAME', summary: 'New name of the job'}},
		examples: ["sluice cron edit report --schedule 'every 2h'", "sluice cron edit report --skills ''"],
		takes: ['job'],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronEdit(context, session),
	},
	{
		words: ['cron', 'pause'],
		usage: 'sluice cron pause JOB [--json]',
		summary: 'Pause a job until it is resumed',
		flags: ['json'],
		examples: ['sluice cron pause report'],
		takes: ['job'],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronChange(context, 'pause', session),
	},
	{
		words: ['cron', 'resume'],
		usage: 'sluice cron resume JOB [--json]',
		summary: 'Resume a job; missed runs are skipped',
		flags: ['json'],
		examples: ['sluice cron resume report'],
		takes: ['job'],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronChange(context, 'resume', session),
	},
	{
		words: ['cron', 'run'],
		usage: 'sluice cron run JOB [--json]',
		summary: 'Run a job now',
		details: 'Without a running gateway, one is started in this process until the job is done.',
		flags: ['json'],
		examples: ['sluice cron run report'],
		takes: ['job'],
		run: async (context, session) => {
			const {runCronRun} = await import('./cron-run.ts');
			const {createGatewayProcess} = await import('../gateway/gateway-process.ts');
			const {createCliRuntime} = await import('../cli/session.ts');
			return runCronRun(context, () => {
				const runtime = createCliRuntime(session);
				const process = createGatewayProcess(runtime, {mode: 'normal', onStopAsked: () => undefined});
				return {...process, eventBus: runtime.eventBus};
			});
		},
	},
	{
		words: ['cron', 'remove'],
		usage: 'sluice cron remove JOB [--json]',
		summary: 'Remove a job',
		flags: ['json'],
		examples: ['sluice cron remove report'],
		takes: ['job'],
		run: async (context, session) => (await import('./cron-jobs.ts')).runCronChange(context, 'remove', session),
	},
];
