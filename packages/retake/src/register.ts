import '@retake/session/preload'
