BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE batches (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	format TEXT NOT NULL, 
	source TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	quarantined_at BIGINT, 
	report TEXT DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_batches PRIMARY KEY (project, agent, user_id, id)
);
CREATE TABLE changes (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	proposal TEXT NOT NULL, 
	id TEXT NOT NULL, 
	fingerprint TEXT NOT NULL, 
	status TEXT NOT NULL, 
	decided_by TEXT, 
	decided_at BIGINT, 
	CONSTRAINT pk_changes PRIMARY KEY (project, agent, user_id, proposal, id)
);
CREATE TABLE dreams (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	status TEXT NOT NULL, 
	engine TEXT NOT NULL, 
	requested_by TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	ended_at BIGINT, 
	from_seq BIGINT NOT NULL, 
	until_seq BIGINT NOT NULL, 
	fence BIGINT NOT NULL, 
	input_hash TEXT, 
	proposal_id TEXT, 
	tokens BIGINT DEFAULT '0' NOT NULL, 
	cost TEXT, 
	settings TEXT DEFAULT '{}' NOT NULL, 
	report TEXT DEFAULT '{}' NOT NULL, 
	CONSTRAINT pk_dreams PRIMARY KEY (project, agent, user_id, id)
);
CREATE TABLE edits (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	number BIGINT NOT NULL, 
	file TEXT NOT NULL, 
	base INTEGER NOT NULL, 
	text TEXT, 
	removal BOOLEAN NOT NULL, 
	origin TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	session TEXT, 
	reason TEXT, 
	at BIGINT NOT NULL, 
	"conflict" BOOLEAN NOT NULL, 
	status TEXT NOT NULL, 
	notices TEXT DEFAULT '[]' NOT NULL, 
	CONSTRAINT pk_edits PRIMARY KEY (project, agent, user_id, id)
);
INSERT INTO "edits" VALUES('default','bot','','a143f4f2413c',1,'SOUL.md',1,'I am calm.

- I am patient.
',0,'agent','',NULL,NULL,1796115600000000,0,'pending','[]');
CREATE TABLE erasures (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	actor TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	finished_at BIGINT, 
	CONSTRAINT pk_erasures PRIMARY KEY (project, agent, user_id, seq)
);
CREATE TABLE heads (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	file TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	hash TEXT NOT NULL, 
	chars INTEGER, 
	modified BIGINT NOT NULL, 
	origin TEXT NOT NULL, 
	mirrored TEXT, 
	CONSTRAINT pk_heads PRIMARY KEY (project, agent, user_id, file)
);
INSERT INTO "heads" VALUES('default','bot','','SOUL.md',1,'6b7814832b66d05c45d7248b5a48cf41f0ef78038969e8fbc00986bbfc218809',11,1796115600000000,'editor','6b7814832b66d05c45d7248b5a48cf41f0ef78038969e8fbc00986bbfc218809');
INSERT INTO "heads" VALUES('default','bot','','settings.json',1,'e6e005b30f016e604e32bd33059189957cb625ab65e3b30f27926753a4d20405',53,1796115600000000,'editor',NULL);
INSERT INTO "heads" VALUES('default','bot','анна','USER.md',2,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',NULL,1796115600000000,'editor','');
INSERT INTO "heads" VALUES('default','bot','анна','MEMORY.md',2,'3545fe259d956b0905892d5b95bdc8d9af2e9860f1535bc08ce45ee81b4cfeff',39,1796115600000000,'editor','3545fe259d956b0905892d5b95bdc8d9af2e9860f1535bc08ce45ee81b4cfeff');
INSERT INTO "heads" VALUES('default','bot','анна','topics/лодки.md',1,'0a93e7729371a3086cd07dbdf1d29b00cb855e9dba4349a9eb98ec8599e53c8b',8,1796115600000000,'editor','0a93e7729371a3086cd07dbdf1d29b00cb855e9dba4349a9eb98ec8599e53c8b');
CREATE TABLE marks (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	mark TEXT NOT NULL, 
	kind TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	reason TEXT, 
	lifted_seq BIGINT, 
	CONSTRAINT pk_marks PRIMARY KEY (project, agent, user_id, mark)
);
CREATE TABLE measures (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	figures TEXT NOT NULL, 
	CONSTRAINT pk_measures PRIMARY KEY (project, agent, user_id, at)
);
CREATE TABLE proposals (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	dream TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	status TEXT NOT NULL, 
	proposer TEXT NOT NULL, 
	engine TEXT NOT NULL, 
	at BIGINT NOT NULL, 
	base TEXT NOT NULL, 
	body TEXT, 
	reviewer TEXT, 
	reviewed_at BIGINT, 
	CONSTRAINT pk_proposals PRIMARY KEY (project, agent, user_id, id)
);
CREATE TABLE recalls (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	file TEXT NOT NULL, 
	version INTEGER NOT NULL, 
	session TEXT, 
	fingerprint TEXT, 
	CONSTRAINT pk_recalls PRIMARY KEY (project, agent, user_id, seq, file)
);
CREATE TABLE records (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	seq BIGINT NOT NULL, 
	at BIGINT NOT NULL, 
	kind TEXT NOT NULL, 
	origin TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	session TEXT, 
	speaker TEXT, 
	"key" TEXT, 
	file TEXT, 
	version INTEGER, 
	batch TEXT, 
	text TEXT, 
	salt TEXT, 
	commitment TEXT NOT NULL, 
	previous TEXT NOT NULL, 
	hash TEXT NOT NULL, 
	data TEXT DEFAULT '{}' NOT NULL, 
	hidden_by BIGINT, 
	erased_at BIGINT, 
	"transaction" TEXT NOT NULL, 
	CONSTRAINT pk_records PRIMARY KEY (project, agent, user_id, seq)
);
INSERT INTO "records" VALUES('default','bot','',1,1796115600000000,'change','editor','',NULL,NULL,NULL,'SOUL.md',1,NULL,'6b7814832b66d05c45d7248b5a48cf41f0ef78038969e8fbc00986bbfc218809','0a46c8508928ef9eb7241cdd685938ac','2dd0709fcd337734298f7288ce93eded638fc0b1e79ff91a3478a1954c6dd037','0000000000000000000000000000000000000000000000000000000000000000','4f1db6e6cc2990b31ecb965638ca7476b7a49ac588acfb524ce2d91c199b676b','{}',NULL,NULL,'5bb9b2122e234a20afddc2e5eae4490e');
INSERT INTO "records" VALUES('default','bot','',2,1796115600000000,'change','editor','',NULL,NULL,NULL,'settings.json',1,NULL,'e6e005b30f016e604e32bd33059189957cb625ab65e3b30f27926753a4d20405','db7fa4b871952f491241ddb728d7c3ce','ad91938550f69138d24d8003258e6674a12c8198a9cf2b3b4e134a44e022eca4','4f1db6e6cc2990b31ecb965638ca7476b7a49ac588acfb524ce2d91c199b676b','e5744eb81d855f1920e2deb3822393105cb57b1834d257002bb7ce068b19c295','{}',NULL,NULL,'33cf9c27edf24726b91befe2fe102e39');
INSERT INTO "records" VALUES('default','bot','анна',1,1796115600000000,'change','editor','',NULL,NULL,NULL,'USER.md',1,NULL,'486fd8a89463f9de4b4edee381df3d89d60cb258dac3e01161db5514bdd9de2c','b9305640c10c74ad330ec34d87f12688','d9d33a99d75b4e7af6c083fb1e5fcdc61716ae9a5691a87d4fde0e0265097fe8','0000000000000000000000000000000000000000000000000000000000000000','9106d51e0b924e87b575c85f5d9f139ef29a3fea40c73cdbe7aaa393a465d154','{}',NULL,NULL,'93da119605b04e86b399097b53ea7936');
INSERT INTO "records" VALUES('default','bot','анна',2,1796115600000000,'change','editor','',NULL,NULL,NULL,'MEMORY.md',1,NULL,'550bf74545c981e44afb02dd99d4b3d790e0847bcd0684034a0fd126c5e04b73','20bde71c62e861483cb303aa6ce5c6e6','85c0bf8fa5f5c64b67397cff936d42027e32d14670d97e885c145c5fd089e7b1','9106d51e0b924e87b575c85f5d9f139ef29a3fea40c73cdbe7aaa393a465d154','00b1b2cd8c8ece50fcaae9bf7f722f538d70e1e804888f4c52e53dd77f14e859','{}',NULL,NULL,'49d6a1e7a06f4f1fb57b0301cfbb8c68');
INSERT INTO "records" VALUES('default','bot','анна',3,1796115600000000,'change','editor','',NULL,NULL,NULL,'MEMORY.md',2,NULL,'3545fe259d956b0905892d5b95bdc8d9af2e9860f1535bc08ce45ee81b4cfeff','14d04976e3053fc5701a0b84024b8dcf','f6de0d4476cadd045c0226099768e93a52432dd7f264b7fd24182a2a5ad956f9','00b1b2cd8c8ece50fcaae9bf7f722f538d70e1e804888f4c52e53dd77f14e859','4156db21a0462d31f3f2205e77a1808515079027d324d51965b6dfe41bab05dc','{}',NULL,NULL,'2fda58040f4a4fbabfd0ccd624a54378');
INSERT INTO "records" VALUES('default','bot','анна',4,1796115600000000,'change','editor','',NULL,NULL,NULL,'USER.md',2,NULL,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','a50f6bf1b471fd7dc92d0d965d71787d','c6edbf20fed877a65fa2b7087b2c61ce0de79b746937caae32d2aacf9a40bf45','4156db21a0462d31f3f2205e77a1808515079027d324d51965b6dfe41bab05dc','7b5a3a83291ec83b3d50203f188977e1cf097b7612bdb9433368b30db6509c7b','{}',NULL,NULL,'4159e7d048714ea5b448512775dac918');
INSERT INTO "records" VALUES('default','bot','анна',5,1796115600000000,'change','editor','',NULL,NULL,NULL,'topics/лодки.md',1,NULL,'0a93e7729371a3086cd07dbdf1d29b00cb855e9dba4349a9eb98ec8599e53c8b','374c5e9cebf74fc5422e1888e0b67b31','73f33ea6516224e438b32959bbb14d3d73120e32df23055d90ff64cf0f4018e4','7b5a3a83291ec83b3d50203f188977e1cf097b7612bdb9433368b30db6509c7b','d8fb8fec6e16f8d4a7cfb28110091d5fd7c36199004e2c1b8a9ac5e9960ff649','{}',NULL,NULL,'dabecbe40f14419b918b8cd346dbc364');
INSERT INTO "records" VALUES('default','bot','анна',6,1796115600000000,'user','user','',NULL,NULL,NULL,NULL,NULL,NULL,'Привет','76599e5170c8692f7c80aa305f73b19c','903412eee4739ad895aa47a034eee86c4ff23531e46fc724f40fc1be2002cbcc','d8fb8fec6e16f8d4a7cfb28110091d5fd7c36199004e2c1b8a9ac5e9960ff649','29c6968712a21b30a705858c6c67eaadd55e3ac37c577728975293a1a230389f','{}',NULL,NULL,'025056b70b7c4db0a68d74c44500c42e');
INSERT INTO "records" VALUES('default','bot','анна',7,1796115600000000,'agent','agent','',NULL,NULL,'k1',NULL,NULL,NULL,'Здравствуй','30fb66288b765442c14b7a55fe01a1aa','526d20135cf9f1c401330ec1065a98e2cb7c261897eee128a45f86fdd69306e6','29c6968712a21b30a705858c6c67eaadd55e3ac37c577728975293a1a230389f','c19672610653333153810cedcd021f854b21b72eb02938c4e79b5b1bbcb84513','{}',NULL,NULL,'025056b70b7c4db0a68d74c44500c42e');
CREATE TABLE scopes (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	created_at BIGINT NOT NULL, 
	seq BIGINT NOT NULL, 
	hash TEXT NOT NULL, 
	records BIGINT NOT NULL, 
	versions BIGINT NOT NULL, 
	messages BIGINT DEFAULT '0' NOT NULL, 
	sessions_finished BIGINT DEFAULT '0' NOT NULL, 
	last_at BIGINT NOT NULL, 
	captured_seq BIGINT DEFAULT '0' NOT NULL, 
	consumed_seq BIGINT DEFAULT '0' NOT NULL, 
	dreamed_at BIGINT, 
	fence BIGINT DEFAULT '0' NOT NULL, 
	mark_key TEXT, 
	CONSTRAINT pk_scopes PRIMARY KEY (project, agent, user_id)
);
INSERT INTO "scopes" VALUES('default','bot','',1796115600000000,2,'e5744eb81d855f1920e2deb3822393105cb57b1834d257002bb7ce068b19c295',2,2,0,0,1796115600000000,0,0,NULL,0,NULL);
INSERT INTO "scopes" VALUES('default','bot','анна',1796115600000000,7,'c19672610653333153810cedcd021f854b21b72eb02938c4e79b5b1bbcb84513',7,5,2,0,1796115600000000,0,0,NULL,0,NULL);
CREATE TABLE sessions (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	id TEXT NOT NULL, 
	started_at BIGINT NOT NULL, 
	last_at BIGINT NOT NULL, 
	ended_at BIGINT, 
	messages BIGINT DEFAULT '0' NOT NULL, 
	writes BIGINT DEFAULT '0' NOT NULL, 
	captured_seq BIGINT DEFAULT '0' NOT NULL, 
	first_seq BIGINT NOT NULL, 
	last_seq BIGINT NOT NULL, 
	CONSTRAINT pk_sessions PRIMARY KEY (project, agent, user_id, id)
);
CREATE TABLE store (
	"key" TEXT NOT NULL, 
	value TEXT NOT NULL, 
	CONSTRAINT pk_store PRIMARY KEY ("key")
);
INSERT INTO "store" VALUES('id','9c4a404eb00742d094f92f04d8234725');
CREATE TABLE versions (
	project TEXT NOT NULL, 
	agent TEXT NOT NULL, 
	user_id TEXT NOT NULL, 
	file TEXT NOT NULL, 
	number INTEGER NOT NULL, 
	parent INTEGER NOT NULL, 
	hash TEXT, 
	chars INTEGER, 
	text TEXT, 
	at BIGINT NOT NULL, 
	origin TEXT NOT NULL, 
	actor TEXT NOT NULL, 
	session TEXT, 
	dream TEXT, 
	approver TEXT, 
	reason TEXT, 
	evidence TEXT DEFAULT '[]' NOT NULL, 
	seq BIGINT NOT NULL, 
	erased_at BIGINT, 
	CONSTRAINT pk_versions PRIMARY KEY (project, agent, user_id, file, number)
);
INSERT INTO "versions" VALUES('default','bot','','SOUL.md',1,0,'6b7814832b66d05c45d7248b5a48cf41f0ef78038969e8fbc00986bbfc218809',11,'I am calm.
',1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',1,NULL);
INSERT INTO "versions" VALUES('default','bot','','settings.json',1,0,'e6e005b30f016e604e32bd33059189957cb625ab65e3b30f27926753a4d20405',53,'{
  "language": "ru",
  "timezone": "Europe/Minsk"
}
',1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',2,NULL);
INSERT INTO "versions" VALUES('default','bot','анна','USER.md',1,0,'486fd8a89463f9de4b4edee381df3d89d60cb258dac3e01161db5514bdd9de2c',12,'- имя: Анна
',1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',1,NULL);
INSERT INTO "versions" VALUES('default','bot','анна','MEMORY.md',1,0,'550bf74545c981e44afb02dd99d4b3d790e0847bcd0684034a0fd126c5e04b73',27,'## План

- плывёт в Одессу
',1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',2,NULL);
INSERT INTO "versions" VALUES('default','bot','анна','MEMORY.md',2,1,'3545fe259d956b0905892d5b95bdc8d9af2e9860f1535bc08ce45ee81b4cfeff',39,'## План

- плывёт в Одессу
- likes tea
',1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',3,NULL);
INSERT INTO "versions" VALUES('default','bot','анна','USER.md',2,1,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',NULL,NULL,1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',4,NULL);
INSERT INTO "versions" VALUES('default','bot','анна','topics/лодки.md',1,0,'0a93e7729371a3086cd07dbdf1d29b00cb855e9dba4349a9eb98ec8599e53c8b',8,'- лодка
',1796115600000000,'editor','',NULL,NULL,NULL,NULL,'[]',5,NULL);
CREATE INDEX ix_records_project_agent_user_id_at ON records (project, agent, user_id, at);
CREATE INDEX ix_records_project_agent_user_id_file_version ON records (project, agent, user_id, file, version);
CREATE UNIQUE INDEX ix_records_project_agent_user_id_session_key ON records (project, agent, user_id, session, "key");
CREATE INDEX ix_records_project_agent_user_id_session_seq ON records (project, agent, user_id, session, seq);
CREATE INDEX ix_sessions_project_agent_user_id_last_at ON sessions (project, agent, user_id, last_at);
COMMIT;
