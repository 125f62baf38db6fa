import {type LimitState} from './limit-state.ts';
import {type NextAction} from './next-action.ts';

/** The state of a part of the gateway: a route, the model, a delivery platform, the endpoint. */
export type StatusEvent =
	| RouteState
	| {readonly type: 'route.removed'; readonly route: string}
	| DeliveryFailing
	| (FailedPlace & {
			readonly type: 'delivery.cleared';
			/** The reason for its end: a later delivery arrived, or a person dismissed it; at another gateway of a shared journal, one of both. */
			readonly by: 'delivery' | 'person' | 'another-node';
	  })
	| {
			readonly type: 'model.state';
			readonly provider: string;
			readonly model?: string;
			/** The step of the choice that found it (docs/configuration.md, How values are read). */
			readonly source: 'config' | 'environment' | 'local' | 'none';
			/** The reason for this choice, in words. */
			readonly reason: string;
	  }
	| {
			readonly type: 'platform.state';
			readonly platform: string;
			readonly state: 'usable' | 'unusable' | 'disabled';
			/** The missing part. */
			readonly reason?: string;
			readonly nextActions?: readonly NextAction[];
	  }
	| {
			readonly type: 'endpoint.state';
			readonly state: 'off' | 'listening' | 'failed';
			readonly url?: string;
			readonly reason?: string;
			readonly nextActions?: readonly NextAction[];
	  }
	| {
			readonly type: 'fault.state';
			/** The journal; the webhook routes of config.yaml, for which the last good ones go on; or chats that carry requests (docs/remote.md). */
			readonly part: FaultyPart;
			/** The fault and the remedy for a person; absent once there is none. */
			readonly reason?: string;
	  }
	| {
			/** The limits of the day with what is spent of them (docs/limits.md). */
			readonly type: 'limits.state';
			readonly limits: readonly LimitState[];
	  }
	| {
			readonly type: 'hold.state';
			/** Absent while nothing is held. */
			readonly held?: HeldState;
			/** The person who released it. */
			readonly releasedBy?: string;
			/** Number of waiting calls and messages, besides runs. */
			readonly waiting: number;
	  };

/** That everything is held (docs/approvals.md, Hold): since when, in milliseconds since the epoch, by whom and why. Texts are safe to show. */
export type HeldState = {
	readonly since: number;
	readonly by: string;
	/** Empty when none was given. */
	readonly reason: string;
	/** By which it is released. */
	readonly hash: string;
};

/** A part of the gateway that has a line of its own above every view while it is in trouble. */
export type FaultyPart = 'journal' | 'routes' | 'remote';

/** A route, or a job, and the platform to which its deliveries fail. Names are safe to show. */
type FailedPlace = {
	readonly id: string;
	/** Empty when no webhook event led to the messages. */
	readonly route: string;
	readonly job?: string;
	readonly target: string;
};

/** Deliveries fail there since the last one that arrived (docs/delivery.md, Failed deliveries). Times are milliseconds since the epoch. */
export type DeliveryFailing = FailedPlace & {
	readonly type: 'delivery.failing';
	readonly failures: number;
	readonly firstAt: number;
	readonly lastAt: number;
	/** The reason that the last one failed. */
	readonly reason: string;
	/** The event of the last one; empty when it has none. */
	readonly eventId: string;
};

/** The state of one webhook route. */
export type RouteState = {
	readonly type: 'route.state';
	readonly route: string;
	/** The profile whose agent, secrets and tools serve it. */
	readonly servedBy: string;
	readonly source: 'config' | 'subscription';
	/** `paused`: 503 until somebody resumes it. `failed`: it cannot be served, `skipped`: it is not meant to be; the reason says why. */
	readonly state: 'served' | 'paused' | 'failed' | 'skipped';
	readonly reason?: string;
	readonly nextActions?: readonly NextAction[];
	readonly url: string;
	readonly deliver: string;
	/** The events it takes; none named: all. */
	readonly events: readonly string[];
	/** Runs of it at once; absent: no limit of its own. */
	readonly maxRuns?: number;
};
