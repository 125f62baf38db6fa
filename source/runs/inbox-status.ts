import {type Journal, type RunRecord, type RunRow} from '../journal/journal.ts';
import {type Clock} from '../util/clock.ts';
import {reportProblem} from './report-problem.ts';
import {runAppeared, runChanged} from './run-event.ts';
import {type ProfileOf} from './run-profile.ts';
import {nextRunState} from './run-state.ts';

/** Tells of inbox items, and of the tools that a person may call for them. */
export type InboxStatus = {
	/** New items: in one word when their tools are known at once, else in a second one. */
	readonly show: (runs: readonly RunRecord[]) => void;
	/** The tools of those of the runs that are items; windows know them already. */
	readonly showTools: (runs: readonly RunRow[]) => void;
};

export const parked = nextRunState('queued', 'park');
export const noModel = 'no model configured';

/** What the status list stands on. */
export type InboxStatusOptions = {
	readonly journal: Pick<Journal, 'findRun'>;
	readonly clock: Clock;
	readonly profileOf: ProfileOf;
};

/** Opens the status list. What cannot be told is a line in the log. */
export function createInboxStatus({journal, clock, profileOf}: InboxStatusOptions): InboxStatus {
	const openItem = (run: RunRecord): RunRow | undefined => {
		const item = journal.findRun(run.id);
		return item?.state === parked ? item : undefined;
	};

	const publishTools = async (run: RunRecord, asked: Promise<readonly string[]>) => {
		const allowedTools = await asked;
		const item = allowedTools.length === 0 ? undefined : openItem(run);
		if (item) {
			profileOf(run.profile).publish(runChanged(item, parked, {reason: item.reason, allowedTools}));
		}
	};

	/** An item waits a turn for its tools, so that a flood of items costs half the events. */
	const appear = async (run: RunRecord, turn: Promise<undefined>) => {
		const {agent, publish} = profileOf(run.profile);
		const asked = agent.allowedTools(run);
		const known = await Promise.race([asked, turn]).catch(() => undefined);
		const allowedTools = known?.length === 0 ? undefined : known;
		if (known || openItem(run)) {
			publish(runAppeared(run, parked, {reason: noModel, startedAt: run.createdAt, allowedTools}));
		}

		if (!known) {
			await publishTools(run, asked);
		}
	};

	const report = (run: RunRecord) => (caught: unknown) =>
		reportProblem(profileOf(run.profile).publish, caught, `run ${run.id}`);

	return {
		show(runs) {
			const turn = new Promise<undefined>(resolve => {
				clock.soon(() => resolve(undefined));
			});
			runs.forEach(run => void appear(run, turn).catch(report(run)));
		},
		showTools(runs) {
			for (const run of runs.filter(({state}) => state === parked)) {
				publishTools(run, profileOf(run.profile).agent.allowedTools(run)).catch(report(run));
			}
		},
	};
}
