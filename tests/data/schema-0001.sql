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
	seq BIGINT NOT NULL, 
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
	decided_seq BIGINT, 
	decided_by TEXT, 
	decided_at BIGINT, 
	decided_reason TEXT, 
	CONSTRAINT pk_edits PRIMARY KEY (project, agent, user_id, id)
);
INSERT INTO "edits" VALUES('default','bot','','3e253469f142',3,'SOUL.md',1,'I am calm.

- I am patient.
',0,'agent','',NULL,NULL,1796115600000000,0,'pending','[]',NULL,NULL,NULL,NULL);
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
INSERT INTO "records" VALUES('default','bot','',1,1796115600000000,'change','editor','',NULL,NULL,NULL,'SOUL.md',1,NULL,'6b7814832b66d05c45d7248b5a48cf41f0ef78038969e8fbc00986bbfc218809','ece154f00e8fb4d156f171b4ca7c46a5','062c4f698fdb720cd41a7f17277efeea51cdb81546e7ce73520918e87aff27af','0000000000000000000000000000000000000000000000000000000000000000','464311ff25f7397ca9f508f9f7d9b274d843369777d8e3d52b13d171cbd95827','{}',NULL,NULL,'dce074112b3340d0b75572811f8912c6');
INSERT INTO "records" VALUES('default','bot','',2,1796115600000000,'change','editor','',NULL,NULL,NULL,'settings.json',1,NULL,'e6e005b30f016e604e32bd33059189957cb625ab65e3b30f27926753a4d20405','f21199936c35765d83e34d1423b0595e','2f015f5248598b6d40f82fabf83ba6623631d20eb073575bcfb2df065a2c7642','464311ff25f7397ca9f508f9f7d9b274d843369777d8e3d52b13d171cbd95827','fe5933d7c80c1636f594ea070282849bb85c1433f9efc7e5449750725ec9bb9e','{}',NULL,NULL,'f8a7e418075a4807a193684384387aef');
INSERT INTO "records" VALUES('default','bot','',3,1796115600000000,'change','agent','',NULL,NULL,NULL,'SOUL.md',NULL,NULL,'e5212957544f8a9847266239dfb83d4e4cbe09e459b6a5da207ded5d31a7f51e','59b3f8a41fce37538ee5a6e52df059fb','678ff73cf04b8efb8b75cfec7b8ce8f4af7427d693b2abd3e618f35703f53ca3','fe5933d7c80c1636f594ea070282849bb85c1433f9efc7e5449750725ec9bb9e','4767726d1a88bbc0d024ec23f8c5374a9f85f3faa6143b48634a7c5f7987b23b','{"base":1,"conflict":false,"edit":"3e253469f142","notices":[],"reason":null,"removal":false,"status":"pending"}',NULL,NULL,'e9d38fc8b53e4374bfa6d68cce05ee78');
INSERT INTO "records" VALUES('default','bot','анна',1,1796115600000000,'change','editor','',NULL,NULL,NULL,'USER.md',1,NULL,'486fd8a89463f9de4b4edee381df3d89d60cb258dac3e01161db5514bdd9de2c','bc20e7c1b89c7d7ad0d8a934ba581f2e','22d83c47f61d6c1d4c02b4c2e5b9e6da66d3966622122165ff8cc55db092827f','0000000000000000000000000000000000000000000000000000000000000000','849077a5b297a4dbbe7d97b18f9794c5ba9051995ac95fa333839bd64dd8b521','{}',NULL,NULL,'d857a96ca8f94dd78759c48186a4dd87');
INSERT INTO "records" VALUES('default','bot','анна',2,1796115600000000,'change','editor','',NULL,NULL,NULL,'MEMORY.md',1,NULL,'550bf74545c981e44afb02dd99d4b3d790e0847bcd0684034a0fd126c5e04b73','9d718b5eec2f22ea384dad568b8168c8','af82fa841d3977b02f3032d42f4c11eaa91918ed8616c63f2a3b831eefd9cdc5','849077a5b297a4dbbe7d97b18f9794c5ba9051995ac95fa333839bd64dd8b521','46e8199a0d705aa53e5bd3b50cfd54e3a2c3dda856d6d7c3fcc51da8060aad38','{}',NULL,NULL,'24d4dd27833048b3a14072c8b9a00817');
INSERT INTO "records" VALUES('default','bot','анна',3,1796115600000000,'change','editor','',NULL,NULL,NULL,'MEMORY.md',2,NULL,'3545fe259d956b0905892d5b95bdc8d9af2e9860f1535bc08ce45ee81b4cfeff','57010e2d227dbcf7243871db67bcb1e3','1eb5e9d728b84f63f7ffedf7da79c6869e40ae6f7943123414f91f4e50d01db6','46e8199a0d705aa53e5bd3b50cfd54e3a2c3dda856d6d7c3fcc51da8060aad38','63cdd7d8495d4650be18ec9a7be2758d369c79b792ca73162ba1a622e1c83421','{}',NULL,NULL,'f7042b6f5ab74258982393b4701309e5');
INSERT INTO "records" VALUES('default','bot','анна',4,1796115600000000,'change','editor','',NULL,NULL,NULL,'USER.md',2,NULL,'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855','0bb8e6d833a64b0f2e3f005b22499f5e','eef8e434c8afc3438679115c171d732417f25b7ef1f864a02da705ed05c4b0dc','63cdd7d8495d4650be18ec9a7be2758d369c79b792ca73162ba1a622e1c83421','d2c14d7a090663d83da433f8b50319592768eabe4cd4a8b7ed309c7a9196dc07','{}',NULL,NULL,'d379c5e966724b64a1549e29166c258e');
INSERT INTO "records" VALUES('default','bot','анна',5,1796115600000000,'change','editor','',NULL,NULL,NULL,'topics/лодки.md',1,NULL,'0a93e7729371a3086cd07dbdf1d29b00cb855e9dba4349a9eb98ec8599e53c8b','464ad2dad931a10347d4bdbc6701822d','3f84a5da20018f8c8a95e4d1a33bc31bbe5aca7f2fd15e0365a04cf937b977f5','d2c14d7a090663d83da433f8b50319592768eabe4cd4a8b7ed309c7a9196dc07','c88c7a295ce05c99120275af2102b83038ae9f20c63fd3e3cf9a33ff68a51826','{}',NULL,NULL,'28ea847132124d238b60a6089cd364fe');
INSERT INTO "records" VALUES('default','bot','анна',6,1796115600000000,'user','user','',NULL,NULL,NULL,NULL,NULL,NULL,'Привет','87bcecade4903beb2894d52f1c41003f','c174ed1c57229a5e3de12f2d79544e0ccfd6958b17e97add591980800734dbd8','c88c7a295ce05c99120275af2102b83038ae9f20c63fd3e3cf9a33ff68a51826','a68f1a5a7db6f8a25974a339871251764074af75c890d17dfc768e3e0538643e','{}',NULL,NULL,'0da7a87f0b23490784c13fd75aac5cc6');
INSERT INTO "records" VALUES('default','bot','анна',7,1796115600000000,'agent','agent','',NULL,NULL,'k1',NULL,NULL,NULL,'Здравствуй','3610be6e105160d7b2d5c0d8471bd2ae','b29c9c16f5fb54edf1082a7b8b06cb4f7b06c713f968c53fe2bb303c7aacf59d','a68f1a5a7db6f8a25974a339871251764074af75c890d17dfc768e3e0538643e','afc1309ee54b093d484b7425c3f09571274c8372b662a0b1beedb00a76c72d02','{}',NULL,NULL,'0da7a87f0b23490784c13fd75aac5cc6');
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
INSERT INTO "scopes" VALUES('default','bot','',1796115600000000,3,'4767726d1a88bbc0d024ec23f8c5374a9f85f3faa6143b48634a7c5f7987b23b',3,2,0,0,1796115600000000,0,0,NULL,0,NULL);
INSERT INTO "scopes" VALUES('default','bot','анна',1796115600000000,7,'afc1309ee54b093d484b7425c3f09571274c8372b662a0b1beedb00a76c72d02',7,5,2,0,1796115600000000,0,0,NULL,0,NULL);
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
INSERT INTO "store" VALUES('id','bcd96cf97e724d80b9b5bf8752f81a2b');
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
CREATE INDEX ix_edits_project_agent_user_id_status_seq ON edits (project, agent, user_id, status, seq);
CREATE INDEX ix_records_project_agent_user_id_at ON records (project, agent, user_id, at);
CREATE INDEX ix_records_project_agent_user_id_file_version ON records (project, agent, user_id, file, version);
CREATE UNIQUE INDEX ix_records_project_agent_user_id_session_key ON records (project, agent, user_id, session, "key");
CREATE INDEX ix_records_project_agent_user_id_session_seq ON records (project, agent, user_id, session, seq);
CREATE INDEX ix_sessions_project_agent_user_id_last_at ON sessions (project, agent, user_id, last_at);
COMMIT;
