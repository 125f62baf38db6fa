/** Where a whole part of the gateway stands: what the first screen and the header tell of it. */
export type StatusEvent =
	| {
			readonly type: 'model.state';
			readonly provider: string;
			readonly model?: string;
			/** Which step of the choice found it (docs/configuration.md, How values are read). */
			readonly source: 'config' | 'environment' | 'local' | 'none';
			/** Why it is this one, in words. */
			readonly reason: string;
	  }
	| {
			readonly type: 'platform.state';
			readonly platform: string;
			readonly state: 'usable' | 'unusable' | 'disabled';
			/** What is missing. */
			readonly reason?: string;
	  }
	| {
			readonly type: 'endpoint.state';
			readonly state: 'off' | 'listening' | 'failed';
			readonly url?: string;
			readonly reason?: string;
	  };
